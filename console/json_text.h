// console/json_text.h: bytes as JSON. Keys and values are any bytes; JSON has only text.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace vaquita {

// {"text": as HBase's shell prints it, "hex": in full}.
nlohmann::ordered_json BytesJson(std::string_view bytes);
// Has the first `most` bytes alone, and {"bytes": how many there are} if there are more.
nlohmann::ordered_json BytesJson(std::string_view bytes, size_t most);

}  // namespace vaquita

// console/json_text.h: bytes as JSON. Keys and values may have any bytes; JSON has only text.
#pragma once

#include <string_view>

#include "base/json_value.h"

namespace vaquita {

// Returns {"text": as HBase's shell prints it, "hex": in full}.
Json BytesJson(std::string_view bytes);
// Returns only the first `most` bytes; if there are more, "bytes" says how many.
Json BytesJson(std::string_view bytes, size_t most);

}  // namespace vaquita

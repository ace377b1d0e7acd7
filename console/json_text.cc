#include "console/json_text.h"

#include <string>

#include "absl/strings/escaping.h"
#include "base/absl_text.h"
#include "base/json.h"
#include "model/region_info.h"

namespace vaquita {

Json BytesJson(std::string_view bytes) {
  return {{"text", ToStringBinary(bytes)}, {"hex", std::string(StdText(absl::BytesToHexString(AbslText(bytes))))}};
}

Json BytesJson(std::string_view bytes, size_t most) {
  Json json = BytesJson(bytes.substr(0, most));
  if (bytes.size() > most) json["bytes"] = bytes.size();
  return json;
}

}  // namespace vaquita

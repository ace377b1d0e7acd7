#include "base/json.h"

#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"

namespace vaquita {

absl::StatusOr<Json> ParseJson(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    return absl::InvalidArgumentError(absl::StrCat("not JSON: ", error.what()));
  }
}

std::string JsonText(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string IndentedJsonText(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

}  // namespace vaquita

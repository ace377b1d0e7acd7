#include "base/json.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/str_cat.h"

namespace vaquita {

absl::StatusOr<Json> ParseJson(std::string_view text) {
  constexpr int kDeepest = 200;  // code that writes or reads a value is recursive
  const auto check_depth = [](int depth, Json::parse_event_t, Json&) {
    if (depth > kDeepest)
      throw Json::other_error::create(501, absl::StrCat("nested more than ", kDeepest, " deep"), nullptr);
    return true;
  };
  try {
    return Json::parse(text, check_depth);
  } catch (const Json::exception& error) {
    return absl::InvalidArgumentError(absl::StrCat("not JSON: ", error.what()));
  }
}

std::string JsonText(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string JsonString(std::string_view text) { return JsonText(Json(text)); }

std::string IndentedJsonText(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

namespace {

Json::type_error NotANumber(const Json& value, const std::string& belongs) {
  return Json::type_error::create(302, absl::StrCat(belongs, " belongs here, not ", JsonText(value)), &value);
}

}  // namespace

std::optional<int64_t> TryIntegerOf(const Json& value, int64_t least, int64_t most) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && !std::in_range<int64_t>(value.get<uint64_t>())) return std::nullopt;
  const auto number = value.get<int64_t>();
  return number >= least && number <= most ? std::optional(number) : std::nullopt;
}

int64_t IntegerOf(const Json& value, int64_t least, int64_t most) {
  if (const auto number = TryIntegerOf(value, least, most)) return *number;
  throw NotANumber(value, absl::StrCat("a whole number from ", least, " to ", most));
}

uint64_t UnsignedOf(const Json& value) {
  if (value.is_number_unsigned()) return value.get<uint64_t>();
  if (value.is_number_integer() && value.get<int64_t>() >= 0) return static_cast<uint64_t>(value.get<int64_t>());
  throw NotANumber(value, "a whole number that is not negative");
}

namespace {

// Returns null if `value` is no object, or if it has no such member.
const Json* MemberIn(const Json& value, const char* member) {
  const auto found = value.find(member);  // the end, if `value` is no object
  return found == value.end() ? nullptr : &*found;
}

}  // namespace

std::string TextIn(const Json& value, const char* member, std::string_view otherwise) {
  const Json* const found = MemberIn(value, member);
  return found != nullptr && found->is_string() ? found->get<std::string>() : std::string(otherwise);
}

int64_t IntegerIn(const Json& value, const char* member, int64_t otherwise) {
  const Json* const found = MemberIn(value, member);
  return found != nullptr ? TryIntegerOf(*found).value_or(otherwise) : otherwise;
}

double NumberIn(const Json& value, const char* member, double otherwise) {
  const Json* const found = MemberIn(value, member);
  return found != nullptr && found->is_number() ? found->get<double>() : otherwise;
}

}  // namespace vaquita

#include "base/json.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/json_value.h"

template class nlohmann::basic_json<nlohmann::ordered_map>;
template nlohmann::json nlohmann::json::parse<const char*>(const char*, const char*, nlohmann::json::parser_callback_t,
                                                           bool, bool);

namespace vaquita {
namespace {

constexpr size_t kDeepest = 200;  // code that writes or reads a value is recursive

// Makes a value of what the parser finds in a text. (The parser's own maker compares the name of each member with those
// of all before it: an object of 16 MB took hours.)
class JsonMaker : public Json::json_sax_t {
 public:
  bool null() override { return Add(nullptr); }
  bool boolean(bool value) override { return Add(value); }
  bool number_integer(number_integer_t value) override { return Add(value); }
  bool number_unsigned(number_unsigned_t value) override { return Add(value); }
  bool number_float(number_float_t value, const string_t&) override { return Add(value); }
  bool string(string_t& value) override { return Add(std::move(value)); }
  bool binary(binary_t& value) override { return Add(std::move(value)); }

  bool start_object(size_t) override { return Open(Json::object()); }
  bool key(string_t& name) override {
    Members().emplace_back(std::move(name), nullptr);
    return true;
  }
  bool end_object() override {
    std::vector<std::string_view> names;
    for (const auto& [name, value] : Members()) names.push_back(name);
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end()) return Fail("member " + JsonString(*twice) + " is there twice");
    open_.pop_back();
    return true;
  }
  bool start_array(size_t) override { return Open(Json::array()); }
  bool end_array() override {
    open_.pop_back();
    return true;
  }
  bool parse_error(size_t, const std::string&, const Json::exception& error) override { return Fail(error.what()); }

  const std::string& error() const { return error_; }
  Json Take() && { return std::move(whole_); }

 private:
  Json::object_t& Members() { return open_.back()->get_ref<Json::object_t&>(); }

  // Returns the place of the next value: in the innermost array or object, or the whole text's.
  Json* Place() {
    if (open_.empty()) return &whole_;
    if (open_.back()->is_object()) return &Members().back().second;
    return &open_.back()->emplace_back(nullptr);
  }
  bool Add(Json value) {
    *Place() = std::move(value);
    return true;
  }
  bool Open(Json empty) {
    if (open_.size() == kDeepest) return Fail(absl::StrCat("nested more than ", kDeepest, " deep"));
    Json* const place = Place();
    *place = std::move(empty);
    open_.push_back(place);
    return true;
  }
  bool Fail(std::string error) {
    error_ = std::move(error);
    return false;
  }

  Json whole_;
  std::vector<Json*> open_;  // arrays and objects that have not ended, each the last value within the one before
  std::string error_;
};

}  // namespace

absl::StatusOr<Json> ParseJson(std::string_view text) {
  JsonMaker maker;
  if (Json::sax_parse(text, &maker)) return std::move(maker).Take();
  return absl::InvalidArgumentError(absl::StrCat("not JSON: ", maker.error()));
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

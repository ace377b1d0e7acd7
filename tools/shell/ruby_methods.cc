#include "tools/shell/ruby_methods.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "base/unicode.h"

namespace vaquita::shell {
namespace {

using Answer = absl::StatusOr<std::optional<Value>>;

// --- Arguments

const Value kNil;
const Value& At(const Arguments& arguments, size_t i) { return i < arguments.size() ? arguments[i] : kNil; }

bool IsNumber(const Value& value) { return value.AsInteger() != nullptr || std::holds_alternative<double>(value.kind); }
double AsDouble(const Value& value) {
  if (const int64_t* integer = value.AsInteger()) return static_cast<double>(*integer);
  const double* number = std::get_if<double>(&value.kind);
  return number == nullptr ? 0 : *number;
}
int64_t IntegerOr(const Value& value, int64_t otherwise) {
  if (const int64_t* integer = value.AsInteger()) return *integer;
  return std::holds_alternative<double>(value.kind) ? static_cast<int64_t>(AsDouble(value)) : otherwise;
}

absl::Status NotOf(const Value& value, std::string_view type) {
  return RubyError("TypeError",
                   absl::StrCat("no implicit conversion of ", AbslText(value.ClassName()), " into ", AbslText(type)));
}

// --- Text

std::vector<std::string> Characters(std::string_view text) {
  std::vector<std::string> characters;
  while (!text.empty()) {
    const size_t length = std::max<size_t>(Utf8Length(text), 1);
    characters.emplace_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return characters;
}
std::string JoinedCharacters(const std::vector<std::string>& characters, size_t from, size_t count) {
  std::string text;
  for (size_t i = from; i < std::min(from + count, characters.size()); ++i) text += characters[i];
  return text;
}

// Where a slice lies in something of `size` elements: an index, an index and a length, or a range. nullopt: outside.
struct Slice {
  size_t from = 0;
  size_t count = 0;
  bool one = false;
};
std::optional<Slice> SliceOf(const Arguments& arguments, size_t size) {
  const auto n = static_cast<int64_t>(size);
  int64_t from = 0;
  int64_t count = 1;
  const Range* range = std::get_if<Range>(&At(arguments, 0).kind);
  if (range != nullptr) {
    from = range->first < 0 ? range->first + n : range->first;
    const int64_t last = range->last < 0 ? range->last + n : range->last;
    count = std::max<int64_t>(0, last - from + (range->exclusive ? 0 : 1));
  } else if (At(arguments, 0).AsInteger() != nullptr) {
    from = *arguments[0].AsInteger();
    if (from < 0) from += n;
    if (arguments.size() > 1) count = IntegerOr(arguments[1], 0);
  } else {
    return std::nullopt;
  }
  const bool one = range == nullptr && arguments.size() < 2;
  if (from < 0 || from > n || count < 0 || (one && from == n)) return std::nullopt;
  return Slice{static_cast<size_t>(from), static_cast<size_t>(std::min(count, n - from)), one};
}

std::string Padded(const std::string& text, const Arguments& arguments, std::string_view method) {
  const auto width = static_cast<size_t>(std::clamp<int64_t>(IntegerOr(At(arguments, 0), 0), 0, 1'000'000));
  const std::vector<std::string> pad = Characters(arguments.size() > 1 ? arguments[1].ToText() : " ");
  const size_t length = Characters(text).size();
  if (width <= length || pad.empty()) return text;
  const size_t missing = width - length;
  const size_t left = method == "rjust" ? missing : method == "center" ? missing / 2 : 0;
  std::string out;
  for (size_t i = 0; i < left; ++i) out += pad[i % pad.size()];
  out += text;
  for (size_t i = 0; i < missing - left; ++i) out += pad[i % pad.size()];
  return out;
}

// The longest prefix that is a number, as to_i reads it.
int64_t LeadingInteger(std::string_view text, int base) {
  std::string digits;
  for (const char c : absl::StripLeadingAsciiWhitespace(AbslText(text))) {
    if (c == '_' && !digits.empty()) continue;
    digits.push_back(c);
  }
  return std::strtoll(digits.c_str(), nullptr, base);
}

// The text after it in Ruby's order: the last letter or digit goes up, and carries.
std::string Successor(std::string text) {
  for (size_t i = text.size(); i-- > 0;) {
    char& c = text[i];
    if (c == 'z' || c == 'Z' || c == '9') {
      const char first = c == 'z' ? 'a' : c == 'Z' ? 'A' : '0';
      c = first;
      const bool ends = i == 0 || !absl::ascii_isalnum(static_cast<unsigned char>(text[i - 1]));
      if (ends) {
        text.insert(i, 1, first == '0' ? '1' : first);
        return text;
      }
      continue;
    }
    ++c;
    return text;
  }
  return text;
}

Value SplitText(const std::string& text, const Arguments& arguments) {
  Array parts;
  if (arguments.empty() || arguments[0].IsNil() || arguments[0] == Value(" ")) {
    for (const auto part : absl::StrSplit(text, absl::ByAnyChar(" \t\n\r\f\v"), absl::SkipEmpty())) {
      parts.emplace_back(std::string(part));
    }
    return Value(std::move(parts));
  }
  const std::string separator = arguments[0].ToText();
  if (separator.empty()) {
    for (std::string& character : Characters(text)) parts.emplace_back(std::move(character));
    return Value(std::move(parts));
  }
  for (const auto part : absl::StrSplit(text, separator)) parts.emplace_back(std::string(part));
  while (!parts.empty() && parts.back() == Value("")) parts.pop_back();
  return Value(std::move(parts));
}

std::string Capitalized(std::string text) {
  for (size_t i = 0; i < text.size(); ++i)
    text[i] = i == 0 ? absl::ascii_toupper(text[i]) : absl::ascii_tolower(text[i]);
  return text;
}

Answer OperateOnText(const std::string& text, std::string_view op, const Arguments& arguments) {
  const Value& right = At(arguments, 0);
  if (op == "+") {
    if (right.AsString() == nullptr) return NotOf(right, "String");
    if (text.size() + right.AsString()->size() > kMostTextBytes) return TextTooLong();
    return Value(text + *right.AsString());
  }
  if (op == "*") {
    if (right.AsInteger() == nullptr) return NotOf(right, "Integer");
    if (*right.AsInteger() < 0) return RubyError("ArgumentError", "argument must be non-negative");
    if (!text.empty() && static_cast<size_t>(*right.AsInteger()) > kMostTextBytes / text.size()) return TextTooLong();
    std::string out;
    for (int64_t i = 0; i < *right.AsInteger(); ++i) out += text;
    return Value(std::move(out));
  }
  if (op != "%") return std::nullopt;
  const Array* several = right.AsArray();
  VAQUITA_ASSIGN_OR_RETURN(std::string out, Format(text, several == nullptr ? Arguments{right} : *several));
  return Value(std::move(out));
}

Answer Replaced(const std::string& text, const std::string& what, const std::string& with) {
  size_t found = 0;
  for (size_t at = 0; !what.empty() && (at = text.find(what, at)) != text.npos; at += what.size()) ++found;
  if (found > 0 && with.size() > kMostTextBytes / found) return TextTooLong();
  return Value(absl::StrReplaceAll(text, {{what, with}}));
}

Answer CallOnText(Value* receiver, std::string_view method, const Arguments& arguments) {
  std::string& text = std::get<std::string>(receiver->kind);
  const auto argument = [&](size_t i) { return At(arguments, i).ToText(); };
  if (method == "<<" || method == "concat") {
    if (text.size() + argument(0).size() > kMostTextBytes) return TextTooLong();
    text += argument(0);
    return *receiver;
  }
  if (method == "length" || method == "size") return Value(static_cast<int64_t>(Characters(text).size()));
  if (method == "bytesize") return Value(static_cast<int64_t>(text.size()));
  if (method == "upcase") return Value(absl::AsciiStrToUpper(text));
  if (method == "downcase") return Value(absl::AsciiStrToLower(text));
  if (method == "capitalize") return Value(Capitalized(text));
  if (method == "strip") return Value(std::string(absl::StripAsciiWhitespace(text)));
  if (method == "lstrip") return Value(std::string(absl::StripLeadingAsciiWhitespace(text)));
  if (method == "rstrip") return Value(std::string(absl::StripTrailingAsciiWhitespace(text)));
  if (method == "chomp") {
    const size_t end = text.ends_with("\r\n") ? 2 : text.ends_with("\n") ? 1 : 0;
    return Value(text.substr(0, text.size() - end));
  }
  if (method == "chop") {
    const std::vector<std::string> characters = Characters(text);
    return Value(JoinedCharacters(characters, 0, characters.empty() ? 0 : characters.size() - 1));
  }
  if (method == "reverse") {
    std::vector<std::string> characters = Characters(text);
    std::reverse(characters.begin(), characters.end());
    return Value(JoinedCharacters(characters, 0, characters.size()));
  }
  if (method == "to_i") return Value(LeadingInteger(text, static_cast<int>(IntegerOr(At(arguments, 0), 10))));
  if (method == "hex") return Value(LeadingInteger(text, 16));
  if (method == "to_f") return Value(std::strtod(text.c_str(), nullptr));
  if (method == "to_sym") return Value(Symbol{text});
  if (method == "message") return *receiver;  // a caught error is its text
  if (method == "empty?") return Value(text.empty());
  if (method == "include?") return Value(text.find(argument(0)) != text.npos);
  if (method == "start_with?") return Value(text.starts_with(argument(0)));
  if (method == "end_with?") return Value(text.ends_with(argument(0)));
  if (method == "index") {
    const size_t at = text.find(argument(0));
    return at == text.npos ? Value() : Value(static_cast<int64_t>(Characters(text.substr(0, at)).size()));
  }
  if (method == "split") return SplitText(text, arguments);
  if (method == "lines") {
    Array lines;
    for (const auto line : absl::StrSplit(text, '\n', absl::SkipEmpty())) lines.emplace_back(std::string(line) + "\n");
    return Value(std::move(lines));
  }
  if (method == "rjust" || method == "ljust" || method == "center") return Value(Padded(text, arguments, method));
  if (method == "gsub") return Replaced(text, argument(0), argument(1));
  if (method == "sub") {
    const size_t at = text.find(argument(0));
    return at == text.npos ? *receiver : Value(std::string(text).replace(at, argument(0).size(), argument(1)));
  }
  if (method == "chars") return SplitText(text, {Value("")});
  if (method == "bytes") {
    Array bytes;
    for (const char c : text) bytes.emplace_back(int64_t{static_cast<unsigned char>(c)});
    return Value(std::move(bytes));
  }
  if (method == "ord" && !text.empty()) return Value(int64_t{static_cast<unsigned char>(text[0])});
  if (method == "succ" || method == "next") return Value(Successor(text));
  if (method == "[]") {
    if (const std::string* part = At(arguments, 0).AsString()) {
      return text.find(*part) == text.npos ? Value() : Value(*part);
    }
    const std::vector<std::string> characters = Characters(text);
    const std::optional<Slice> slice = SliceOf(arguments, characters.size());
    return slice ? Value(JoinedCharacters(characters, slice->from, slice->count)) : Value();
  }
  return OperateOnText(text, method, arguments);
}

// --- Numbers

int64_t FloorDivided(int64_t a, int64_t b) { return a / b - ((a % b != 0) && ((a < 0) != (b < 0)) ? 1 : 0); }

absl::Status TooLarge() { return RubyError("RangeError", "the number does not fit into 64 bits"); }

Answer IntegerPower(int64_t base, int64_t exponent) {
  if (exponent < 0) return Value(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
  int64_t result = 1;
  for (; exponent > 0; exponent >>= 1) {
    if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result)) return TooLarge();
    if (exponent > 1 && __builtin_mul_overflow(base, base, &base)) return TooLarge();
  }
  return Value(result);
}

Answer OperateOnIntegers(int64_t a, std::string_view op, int64_t b) {
  int64_t result = 0;
  if (op == "+") return __builtin_add_overflow(a, b, &result) ? Answer(TooLarge()) : Answer(Value(result));
  if (op == "-") return __builtin_sub_overflow(a, b, &result) ? Answer(TooLarge()) : Answer(Value(result));
  if (op == "*") return __builtin_mul_overflow(a, b, &result) ? Answer(TooLarge()) : Answer(Value(result));
  if (op == "**") return IntegerPower(a, b);
  if (op == "&") return Value(a & b);
  if (op == "|") return Value(a | b);
  if (op == "<<" && b >= 0 && b < 63 && std::abs(a) < (int64_t{1} << (62 - b))) return Value(a * (int64_t{1} << b));
  if (op == "<<") return TooLarge();
  if (op != "/" && op != "%" && op != "modulo" && op != "div") return std::nullopt;
  if (b == 0) return RubyError("ZeroDivisionError", "divided by 0");
  if (b == -1) return op == "/" || op == "div" ? OperateOnIntegers(0, "-", a) : Answer(Value(int64_t{0}));
  if (op == "/" || op == "div") return Value(FloorDivided(a, b));
  return Value(a - FloorDivided(a, b) * b);
}

Answer OperateOnFloats(double a, std::string_view op, double b) {
  if (op == "+") return Value(a + b);
  if (op == "-") return Value(a - b);
  if (op == "*") return Value(a * b);
  if (op == "/") return Value(a / b);
  if (op == "**") return Value(std::pow(a, b));
  if (op == "%") return Value(a - std::floor(a / b) * b);
  return std::nullopt;
}

std::string InBase(int64_t number, int64_t base) {
  char text[80];
  const auto end = std::to_chars(text, text + sizeof text, number, static_cast<int>(base)).ptr;
  return {text, end};
}

Value Rounded(double number, const Arguments& arguments) {
  const int64_t digits = IntegerOr(At(arguments, 0), 0);
  if (digits <= 0) return Value(static_cast<int64_t>(std::llround(number)));
  const double scale = std::pow(10, static_cast<double>(digits));
  return Value(std::round(number * scale) / scale);
}

Answer CallOnNumber(const Value& receiver, std::string_view method, const Arguments& arguments) {
  static constexpr std::string_view kOperators[] = {"+", "-", "*", "/", "%", "**", "&", "|", "<<", "modulo", "div"};
  const int64_t* integer = receiver.AsInteger();
  if (std::find(std::begin(kOperators), std::end(kOperators), method) != std::end(kOperators)) {
    const Value& right = At(arguments, 0);
    if (!IsNumber(right)) {
      return RubyError("TypeError", absl::StrCat(right.IsNil() ? "nil" : AbslText(right.ClassName()),
                                                 " can't be coerced into ", AbslText(receiver.ClassName())));
    }
    if (integer != nullptr && right.AsInteger() != nullptr)
      return OperateOnIntegers(*integer, method, *right.AsInteger());
    return OperateOnFloats(AsDouble(receiver), method, AsDouble(right));
  }
  const double number = AsDouble(receiver);
  if (method == "to_i" || method == "to_int" || method == "truncate") return Value(IntegerOr(receiver, 0));
  if (method == "to_f") return Value(number);
  if (method == "floor") return Value(static_cast<int64_t>(std::floor(number)));
  if (method == "ceil") return Value(static_cast<int64_t>(std::ceil(number)));
  if (method == "round") return integer != nullptr ? receiver : Rounded(number, arguments);
  if (method == "abs") return integer != nullptr ? Value(std::abs(*integer)) : Value(std::abs(number));
  if (method == "zero?") return Value(number == 0);
  if (integer == nullptr) return std::nullopt;
  if (method == "to_s" && !arguments.empty())
    return Value(InBase(*integer, std::clamp<int64_t>(IntegerOr(arguments[0], 10), 2, 36)));
  if (method == "even?") return Value(*integer % 2 == 0);
  if (method == "odd?") return Value(*integer % 2 != 0);
  if (method == "succ" || method == "next") return OperateOnIntegers(*integer, "+", 1);
  if (method == "pred") return OperateOnIntegers(*integer, "-", 1);
  if (method == "chr" && *integer >= 0 && *integer < 256) return Value(std::string(1, static_cast<char>(*integer)));
  return std::nullopt;
}

// --- Arrays, hashes, ranges

Answer JoinedText(const Array& array, const std::string& separator) {
  std::string text;
  for (size_t i = 0; i < array.size(); ++i) {
    if (i > 0) text += separator;
    if (const Array* inner = array[i].AsArray()) {
      VAQUITA_ASSIGN_OR_RETURN(const auto joined, JoinedText(*inner, separator));
      text += *joined->AsString();
    } else {
      text += array[i].ToText();
    }
    if (text.size() > kMostTextBytes) return TextTooLong();
  }
  return Value(std::move(text));
}

void FlattenTo(const Array& array, Array* out) {
  for (const Value& value : array) {
    if (const Array* inner = value.AsArray()) {
      FlattenTo(*inner, out);
    } else {
      out->push_back(value);
    }
  }
}

absl::StatusOr<Array> Sorted(Array array) {
  bool comparable = true;
  std::stable_sort(array.begin(), array.end(), [&](const Value& a, const Value& b) {
    const std::optional<int> order = Compare(a, b);
    if (!order) comparable = false;
    return order.value_or(0) < 0;
  });
  if (!comparable) return RubyError("ArgumentError", "the elements cannot be compared with each other");
  return array;
}

Answer SumOf(const Array& array, const Value& initial) {
  Value sum = initial.IsNil() ? Value(int64_t{0}) : initial;
  for (const Value& value : array) {
    VAQUITA_ASSIGN_OR_RETURN(const auto next, CallMethod(&sum, "+", {value}));
    if (!next) return NotOf(value, "Integer");
    sum = *next;
  }
  return sum;
}

// The methods of an array that leave it as it is. Ranges have them, too.
Answer ReadArrayBy(const Array& array, std::string_view method, const Arguments& arguments) {
  const auto first = [&] { return static_cast<size_t>(std::max<int64_t>(0, IntegerOr(At(arguments, 0), 1))); };
  if (method == "length" || method == "size" || method == "count") return Value(static_cast<int64_t>(array.size()));
  if (method == "to_a" || method == "entries") return Value(array);
  if (method == "empty?") return Value(array.empty());
  if (method == "any?")
    return Value(std::any_of(array.begin(), array.end(), [](const Value& v) { return v.IsTruthy(); }));
  if (method == "include?" || method == "member?") {
    return Value(std::find(array.begin(), array.end(), At(arguments, 0)) != array.end());
  }
  if (method == "index") {
    const auto found = std::find(array.begin(), array.end(), At(arguments, 0));
    return found == array.end() ? Value() : Value(static_cast<int64_t>(found - array.begin()));
  }
  if (method == "first" || method == "take") {
    if (arguments.empty()) return array.empty() ? Value() : array.front();
    return Value(Array(array.begin(), array.begin() + static_cast<std::ptrdiff_t>(std::min(first(), array.size()))));
  }
  if (method == "last" || method == "drop") {
    if (arguments.empty()) return array.empty() ? Value() : array.back();
    const size_t from =
        method == "drop" ? std::min(first(), array.size()) : array.size() - std::min(first(), array.size());
    return Value(Array(array.begin() + static_cast<std::ptrdiff_t>(from), array.end()));
  }
  if (method == "join") return JoinedText(array, At(arguments, 0).ToText());
  if (method == "reverse") return Value(Array(array.rbegin(), array.rend()));
  if (method == "sum") return SumOf(array, At(arguments, 0));
  if (method == "sort" || method == "min" || method == "max") {
    VAQUITA_ASSIGN_OR_RETURN(Array sorted, Sorted(array));
    if (method == "sort") return Value(std::move(sorted));
    return sorted.empty() ? Value() : method == "min" ? sorted.front() : sorted.back();
  }
  if (method == "uniq") {
    Array unique;
    for (const Value& value : array) {
      if (std::find(unique.begin(), unique.end(), value) == unique.end()) unique.push_back(value);
    }
    return Value(std::move(unique));
  }
  if (method == "compact") {
    Array out;
    std::copy_if(array.begin(), array.end(), std::back_inserter(out), [](const Value& v) { return !v.IsNil(); });
    return Value(std::move(out));
  }
  if (method == "flatten") {
    Array flat;
    FlattenTo(array, &flat);
    return Value(std::move(flat));
  }
  if (method == "sample") return array.empty() ? Value() : array[static_cast<size_t>(std::rand()) % array.size()];
  if (method == "zip") {
    Array pairs;
    const Array* other = At(arguments, 0).AsArray();
    for (size_t i = 0; i < array.size(); ++i) {
      pairs.emplace_back(Array{array[i], other != nullptr && i < other->size() ? (*other)[i] : Value()});
    }
    return Value(std::move(pairs));
  }
  return std::nullopt;
}

Answer CallOnArray(Value* receiver, std::string_view method, const Arguments& arguments) {
  Array& array = std::get<Array>(receiver->kind);
  const Array* other = At(arguments, 0).AsArray();
  if (static_cast<int64_t>(array.size() + arguments.size() + (other == nullptr ? 0 : other->size())) > kMostParts) {
    return RubyError("RangeError", "an array has at most a million elements here");
  }
  if (method == "<<" || method == "push" || method == "append") {
    array.insert(array.end(), arguments.begin(), arguments.end());
    return *receiver;
  }
  if (method == "concat" && other != nullptr) {
    array.insert(array.end(), other->begin(), other->end());
    return *receiver;
  }
  if (method == "pop" || method == "shift") {
    if (array.empty()) return Value();
    const auto at = method == "pop" ? array.end() - 1 : array.begin();
    Value taken = *at;
    array.erase(at);
    return taken;
  }
  if (method == "unshift") {
    array.insert(array.begin(), arguments.begin(), arguments.end());
    return *receiver;
  }
  if ((method == "+" || method == "-" || method == "&") && other == nullptr) return NotOf(At(arguments, 0), "Array");
  if (method == "+") {
    Array sum = array;
    sum.insert(sum.end(), other->begin(), other->end());
    return Value(std::move(sum));
  }
  if (method == "-" || method == "&") {
    Array out;
    for (const Value& value : array) {
      const bool there = std::find(other->begin(), other->end(), value) != other->end();
      if (there == (method == "&")) out.push_back(value);
    }
    return Value(std::move(out));
  }
  if (method == "*") {
    if (const std::string* separator = At(arguments, 0).AsString()) return JoinedText(array, *separator);
    return std::nullopt;
  }
  if (method == "[]") {
    const std::optional<Slice> slice = SliceOf(arguments, array.size());
    if (!slice) return Value();
    if (slice->one) return array[slice->from];
    const auto from = array.begin() + static_cast<std::ptrdiff_t>(slice->from);
    return Value(Array(from, from + static_cast<std::ptrdiff_t>(slice->count)));
  }
  if (method == "[]=" && arguments.size() == 2 && arguments[0].AsInteger() != nullptr) {  // grows with nil
    int64_t at = *arguments[0].AsInteger();
    if (at < 0) at += static_cast<int64_t>(array.size());
    if (at < 0 || at >= kMostParts) return RubyError("IndexError", "the index is outside the array");
    if (static_cast<size_t>(at) >= array.size()) array.resize(static_cast<size_t>(at) + 1);
    array[static_cast<size_t>(at)] = arguments[1];
    return arguments[1];
  }
  return ReadArrayBy(array, method, arguments);
}

const Value* FindKey(const Hash& hash, const Value& key) {
  const auto found = std::find_if(hash.begin(), hash.end(), [&](const HashEntry& entry) { return entry.key == key; });
  return found == hash.end() ? nullptr : &found->value;
}

Answer CallOnHash(Value* receiver, std::string_view method, const Arguments& arguments) {
  Hash& hash = *receiver->AsHash();
  if (method == "[]" || method == "fetch" || method == "dig") {
    const Value* found = FindKey(hash, At(arguments, 0));
    if (found == nullptr && method == "fetch" && arguments.size() < 2) {
      return RubyError("KeyError", absl::StrCat("key not found: ", At(arguments, 0).Inspect()));
    }
    return found == nullptr ? At(arguments, 1) : *found;
  }
  if ((method == "[]=" || method == "store") && arguments.size() == 2) {
    Assign(hash, arguments[0], arguments[1]);
    return arguments[1];
  }
  if (method == "delete") {
    const Value* found = FindKey(hash, At(arguments, 0));
    if (found == nullptr) return Value();
    Value value = *found;
    std::erase_if(hash, [&](const HashEntry& entry) { return entry.key == arguments[0]; });
    return value;
  }
  if (method == "key?" || method == "has_key?" || method == "include?" || method == "member?") {
    return Value(FindKey(hash, At(arguments, 0)) != nullptr);
  }
  if (method == "keys" || method == "values") {
    Array items;
    for (const HashEntry& entry : hash) items.push_back(method == "keys" ? entry.key : entry.value);
    return Value(std::move(items));
  }
  if (method == "merge" && At(arguments, 0).AsHash() != nullptr) {
    Hash merged = hash;
    for (const HashEntry& entry : *arguments[0].AsHash()) Assign(merged, entry.key, entry.value);
    return Value(std::move(merged));
  }
  if (method == "to_h") return *receiver;
  VAQUITA_ASSIGN_OR_RETURN(const auto items, ItemsOf(*receiver));
  return ReadArrayBy(*items, method, arguments);
}

Answer CallOnRange(const Value& receiver, std::string_view method, const Arguments& arguments) {
  const Range range = std::get<Range>(receiver.kind);
  const int64_t end = range.exclusive ? range.last - 1 : range.last;
  if (arguments.empty() && (method == "first" || method == "begin" || method == "min")) return Value(range.first);
  if (arguments.empty() && (method == "last" || method == "end")) return Value(range.last);
  if (method == "max") return Value(end);
  if (method == "include?" || method == "cover?" || method == "===") {
    const Value& value = At(arguments, 0);
    return Value(IsNumber(value) && AsDouble(value) >= static_cast<double>(range.first) &&
                 (range.exclusive ? AsDouble(value) < static_cast<double>(range.last)
                                  : AsDouble(value) <= static_cast<double>(range.last)));
  }
  if (method == "size" || method == "count") return Value(std::max<int64_t>(0, end - range.first + 1));
  VAQUITA_ASSIGN_OR_RETURN(const auto items, ItemsOf(receiver));
  return ReadArrayBy(*items, method, arguments);
}

// --- Every value

Answer CallOnAny(const Value& receiver, std::string_view method, const Arguments& arguments) {
  if (method == "to_s") return Value(receiver.ToText());
  if (method == "inspect") return Value(receiver.Inspect());
  if (method == "nil?") return Value(receiver.IsNil());
  if (method == "class") return Value(std::string(receiver.ClassName()));
  if (method == "dup" || method == "clone" || method == "freeze") return receiver;
  if (method == "to_a" && receiver.IsNil()) return Value(Array());
  if (method == "to_i" && receiver.IsNil()) return Value(int64_t{0});
  if (method == "==" || method == "eql?" || method == "equal?") {
    const Value& other = At(arguments, 0);
    if (IsNumber(receiver) && IsNumber(other)) return Value(AsDouble(receiver) == AsDouble(other));
    return Value(receiver == other);
  }
  if (method == "<=>") {
    const std::optional<int> order = Compare(receiver, At(arguments, 0));
    return order ? Value(int64_t{*order}) : Value();
  }
  if (method == "<" || method == "<=" || method == ">" || method == ">=") {
    const std::optional<int> order = Compare(receiver, At(arguments, 0));
    if (!order) {
      return RubyError("ArgumentError", absl::StrCat("comparison of ", AbslText(receiver.ClassName()), " with ",
                                                     At(arguments, 0).Inspect(), " failed"));
    }
    return Value(method == "<" ? *order < 0 : method == "<=" ? *order <= 0 : method == ">" ? *order > 0 : *order >= 0);
  }
  return std::nullopt;
}

Answer CallByKind(Value* receiver, std::string_view method, const Arguments& arguments) {
  if (receiver->AsString() != nullptr) return CallOnText(receiver, method, arguments);
  if (IsNumber(*receiver)) return CallOnNumber(*receiver, method, arguments);
  if (receiver->AsArray() != nullptr) return CallOnArray(receiver, method, arguments);
  if (receiver->AsHash() != nullptr) return CallOnHash(receiver, method, arguments);
  if (std::holds_alternative<Range>(receiver->kind)) return CallOnRange(*receiver, method, arguments);
  return std::nullopt;
}

}  // namespace

absl::Status RubyError(std::string_view kind, std::string_view text) {
  return absl::InvalidArgumentError(absl::StrCat(AbslText(kind), " (", AbslText(text), ")"));
}

absl::Status TextTooLong() { return RubyError("NoMemoryError", "the text would be longer than 64 MB"); }

absl::StatusOr<std::optional<Value>> CallMethod(Value* receiver, std::string_view method, const Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(auto answer, CallByKind(receiver, method, arguments));
  if (answer) return answer;
  return CallOnAny(*receiver, method, arguments);
}

absl::StatusOr<std::optional<Array>> ItemsOf(const Value& value) {
  if (const Array* array = value.AsArray()) return *array;
  Array items;
  if (const Hash* hash = value.AsHash()) {
    for (const HashEntry& entry : *hash) items.emplace_back(Array{entry.key, entry.value});
    return items;
  }
  const Range* range = std::get_if<Range>(&value.kind);
  if (range == nullptr) return std::nullopt;
  const int64_t end = range->exclusive ? range->last : range->last + 1;
  if (end > range->first && end - range->first > kMostParts) {
    return RubyError("RangeError", "an array has at most a million elements here");
  }
  for (int64_t i = range->first; i < end; ++i) items.emplace_back(i);
  return items;
}

std::optional<int> Compare(const Value& a, const Value& b) {
  if (IsNumber(a) && IsNumber(b)) {
    if (a.AsInteger() != nullptr && b.AsInteger() != nullptr) {
      return *a.AsInteger() < *b.AsInteger() ? -1 : *a.AsInteger() > *b.AsInteger() ? 1 : 0;
    }
    return AsDouble(a) < AsDouble(b) ? -1 : AsDouble(a) > AsDouble(b) ? 1 : 0;
  }
  if (a.AsString() != nullptr && b.AsString() != nullptr) {
    const int order = a.AsString()->compare(*b.AsString());
    return order < 0 ? -1 : order > 0 ? 1 : 0;
  }
  if (a.AsArray() != nullptr && b.AsArray() != nullptr) {
    const size_t both = std::min(a.AsArray()->size(), b.AsArray()->size());
    for (size_t i = 0; i < both; ++i) {
      const std::optional<int> order = Compare((*a.AsArray())[i], (*b.AsArray())[i]);
      if (!order || *order != 0) return order;
    }
    return a.AsArray()->size() < b.AsArray()->size() ? -1 : a.AsArray()->size() > b.AsArray()->size() ? 1 : 0;
  }
  return a == b ? std::optional(0) : std::nullopt;
}

absl::StatusOr<std::string> Format(std::string_view format, const Arguments& arguments) {
  std::string out;
  size_t next = 0;
  for (size_t i = 0; i < format.size(); ++i) {
    if (out.size() > kMostTextBytes) return TextTooLong();
    if (format[i] != '%') {
      out.push_back(format[i]);
      continue;
    }
    size_t end = i + 1;
    while (end < format.size() && std::string_view("-+ 0123456789.#").find(format[end]) != std::string_view::npos)
      ++end;
    if (end == format.size())
      return RubyError("ArgumentError", "incomplete format specifier; use %% (double %) instead");
    const char kind = format[end];
    std::string flags(format.substr(i + 1, end - i - 1));
    i = end;
    if (kind == '%') {
      out.push_back('%');
      continue;
    }
    if (flags.size() > 8) return RubyError("ArgumentError", "a width of the format is too large");
    if (next >= arguments.size()) return RubyError("ArgumentError", "too few arguments");
    const Value& value = arguments[next++];
    char text[512];
    if (kind == 's' || kind == 'p') {
      const std::string shown = kind == 's' ? value.ToText() : value.Inspect();
      const size_t width = std::strtoul(
          flags.substr(flags.find_first_not_of('-') == flags.npos ? flags.size() : flags.find_first_not_of('-'))
              .c_str(),
          nullptr, 10);
      out += Padded(shown, {Value(static_cast<int64_t>(std::min<size_t>(width, 100'000)))},
                    flags.starts_with('-') ? "ljust" : "rjust");
      continue;
    }
    const bool integer = std::string_view("dixXob").find(kind) != std::string_view::npos;
    const bool real = std::string_view("feEgG").find(kind) != std::string_view::npos;
    if (!integer && !real)
      return RubyError("ArgumentError", absl::StrCat("malformed format string - %", std::string(1, kind)));
    Value number = value;
    if (const std::string* digits = value.AsString()) {
      number = real ? Value(std::strtod(digits->c_str(), nullptr)) : Value(LeadingInteger(*digits, 10));
    }
    if (!IsNumber(number))
      return RubyError("TypeError", absl::StrCat("can't convert ", AbslText(value.ClassName()), " into ",
                                                 integer ? "Integer" : "Float"));
    if (kind == 'b') {
      const size_t width = std::strtoul(flags.c_str() + (flags.starts_with('0') ? 1 : 0), nullptr, 10);
      out += Padded(
          InBase(IntegerOr(number, 0), 2),
          {Value(static_cast<int64_t>(std::min<size_t>(width, 1000))), Value(flags.starts_with('0') ? "0" : " ")},
          "rjust");
    } else if (integer) {
      const std::string spec = absl::StrCat("%", flags, "ll", std::string(1, kind == 'i' ? 'd' : kind));
      std::snprintf(text, sizeof text, spec.c_str(), static_cast<long long>(IntegerOr(number, 0)));
      out += text;
    } else {
      const std::string spec = absl::StrCat("%", flags, std::string(1, kind));
      std::snprintf(text, sizeof text, spec.c_str(), AsDouble(number));
      out += text;
    }
  }
  return out;
}

}  // namespace vaquita::shell

#include "tools/shell/ruby_methods.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "tools/shell/ruby_arguments.h"
#include "tools/shell/ruby_text.h"

namespace vaquita::shell {
namespace {

// --- Numbers

int64_t FloorDivided(int64_t a, int64_t b) { return a / b - ((a % b != 0) && ((a < 0) != (b < 0)) ? 1 : 0); }

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
  if (op == "<<" && b >= 0 && b < 63) return OperateOnIntegers(a, "*", int64_t{1} << b);
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

Answer Whole(double whole) {
  VAQUITA_ASSIGN_OR_RETURN(const int64_t integer, IntegerOf(whole));
  return Value(integer);
}

// A double has no more than 17 digits that mean something, and at most 324 zeros before them.
Answer Rounded(double number, const Arguments& arguments) {
  const int64_t digits = IntegerOr(At(arguments, 0), 0);
  if (digits <= 0) return Whole(std::round(number));
  const double scaled = number * std::pow(10, static_cast<double>(digits));
  if (std::isinf(scaled) || std::isnan(scaled)) return Value(number);
  return Value(std::round(scaled) / std::pow(10, static_cast<double>(digits)));
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
  if (method == "to_f") return Value(number);
  const bool truncates = method == "to_i" || method == "to_int" || method == "truncate";
  if (truncates || method == "floor" || method == "ceil" || method == "round") {
    if (integer != nullptr) return receiver;
    if (method == "round") return Rounded(number, arguments);
    return Whole(truncates ? std::trunc(number) : method == "floor" ? std::floor(number) : std::ceil(number));
  }
  if (method == "abs") {
    if (integer == nullptr) return Value(std::abs(number));
    return *integer < 0 ? OperateOnIntegers(0, "-", *integer) : receiver;
  }
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

// Appends a text to a text, or an array to an array. Returns false if the sum would be too large.
bool Append(const Value& value, Value* sum) {
  if (std::string* text = std::get_if<std::string>(&sum->kind)) {
    if (text->size() + value.AsString()->size() > kMostTextBytes) return false;
    text->append(*value.AsString());
    return true;
  }
  Array& array = std::get<Array>(sum->kind);
  if (static_cast<int64_t>(array.size() + value.AsArray()->size()) > kMostParts) return false;
  array.insert(array.end(), value.AsArray()->begin(), value.AsArray()->end());
  return true;
}

// Texts and arrays grow in place, or each step would copy the sum.
Answer SumOf(const Array& array, const Value& initial) {
  Value sum = initial.IsNil() ? Value(int64_t{0}) : initial;
  for (const Value& value : array) {
    const bool appends = (sum.AsString() != nullptr && value.AsString() != nullptr) ||
                         (sum.AsArray() != nullptr && value.AsArray() != nullptr);
    if (appends && !Append(value, &sum)) return sum.AsString() != nullptr ? TextTooLong() : TooManyElements();
    if (appends) continue;
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
    ValueSet seen;
    for (const Value& value : array) {
      if (seen.insert(value).second) unique.push_back(value);
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
    return TooManyElements();
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
    const ValueSet others(other->begin(), other->end());
    for (const Value& value : array) {
      if (others.contains(value) == (method == "&")) out.push_back(value);
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
    const Value key = At(arguments, 0);
    const Value* found = FindKey(hash, key);
    if (found == nullptr) return Value();
    Value value = *found;
    std::erase_if(hash, [&](const HashEntry& entry) { return entry.key == key; });
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
    Hash entries = hash;
    entries.insert(entries.end(), arguments[0].AsHash()->begin(), arguments[0].AsHash()->end());
    return Value(HashOf(std::move(entries)));
  }
  if (method == "to_h") return *receiver;
  VAQUITA_ASSIGN_OR_RETURN(const auto items, ItemsOf(*receiver));
  return ReadArrayBy(*items, method, arguments);
}

Answer CallOnRange(const Value& receiver, std::string_view method, const Arguments& arguments) {
  const Range range = std::get<Range>(receiver.kind);
  if (arguments.empty() && (method == "first" || method == "begin" || method == "min")) return Value(range.first);
  if (arguments.empty() && (method == "last" || method == "end")) return Value(range.last);
  if (method == "max") return range.exclusive ? OperateOnIntegers(range.last, "-", 1) : Value(range.last);
  if (method == "include?" || method == "cover?" || method == "===") {
    const Value& value = At(arguments, 0);
    return Value(IsNumber(value) && AsDouble(value) >= static_cast<double>(range.first) &&
                 (range.exclusive ? AsDouble(value) < static_cast<double>(range.last)
                                  : AsDouble(value) <= static_cast<double>(range.last)));
  }
  if (method == "size" || method == "count") {
    const __int128 count = __int128{range.last} - range.first + (range.exclusive ? 0 : 1);
    return count > std::numeric_limits<int64_t>::max() ? Answer(TooLarge())
                                                       : Value(static_cast<int64_t>(std::max<__int128>(count, 0)));
  }
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
  const __int128 count = __int128{range->last} - range->first + (range->exclusive ? 0 : 1);
  if (count > kMostParts) return TooManyElements();
  for (int64_t i = 0; i < count; ++i) items.emplace_back(range->first + i);
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

}  // namespace vaquita::shell

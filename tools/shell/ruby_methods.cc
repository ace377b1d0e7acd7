#include "tools/shell/ruby_methods.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "tools/shell/ruby_arguments.h"
#include "tools/shell/ruby_numbers.h"
#include "tools/shell/ruby_rounds.h"
#include "tools/shell/ruby_signatures.h"
#include "tools/shell/ruby_text.h"

namespace vaquita::shell {
namespace {

// --- Numbers

int64_t FloorDivided(int64_t a, int64_t b) { return a / b - ((a % b != 0) && ((a < 0) != (b < 0)) ? 1 : 0); }

// Has the divisor's sign.
int64_t FloorRemainder(int64_t a, int64_t b) {
  const int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
double FloorRemainder(double a, double b) {
  const double rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

Answer Shifted(int64_t number, int64_t left) {
  if (left < 0) return Value(number >> std::min<int64_t>(-std::max<int64_t>(left, -63), 63));
  if (number == 0) return Value(number);
  const __int128 shifted = left > 63 ? 0 : static_cast<__int128>(number) * (__int128{1} << left);
  const auto result = static_cast<int64_t>(shifted);
  return left > 63 || result != shifted ? Answer(TooLarge()) : Answer(Value(result));
}

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
  if (op == "<<") return Shifted(a, b);
  if (op != "/" && op != "%" && op != "modulo" && op != "div") return std::nullopt;
  if (b == 0) return RubyError("ZeroDivisionError", "divided by 0");
  if (b == -1) return op == "/" || op == "div" ? OperateOnIntegers(0, "-", a) : Answer(Value(int64_t{0}));
  if (op == "/" || op == "div") return Value(FloorDivided(a, b));
  return Value(FloorRemainder(a, b));
}

Answer OperateOnFloats(double a, std::string_view op, double b) {
  if (op == "+") return Value(a + b);
  if (op == "-") return Value(a - b);
  if (op == "*") return Value(a * b);
  if (op == "/") return Value(a / b);
  if (op == "**") return Value(std::pow(a, b));
  if (op == "%" || op == "modulo") return Value(FloorRemainder(a, b));
  if (op != "div") return std::nullopt;
  if (b == 0) return RubyError("ZeroDivisionError", "divided by 0");
  VAQUITA_ASSIGN_OR_RETURN(const int64_t whole, IntegerOf(std::floor(a / b)));
  return Value(whole);
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
  if (method == "to_i" || method == "to_int") method = "truncate";
  if (method == "truncate" || method == "floor" || method == "ceil" || method == "round") {
    VAQUITA_ASSIGN_OR_RETURN(Value rounded, RoundedBy(receiver, method, IntegerOr(At(arguments, 0), 0)));
    return rounded;
  }
  if (method == "abs") {
    if (integer == nullptr) return Value(std::abs(number));
    return *integer < 0 ? OperateOnIntegers(0, "-", *integer) : receiver;
  }
  if (method == "zero?") return Value(number == 0);
  if (integer == nullptr) return std::nullopt;
  if (method == "to_s" && !arguments.empty()) {
    const int64_t base = IntegerOr(arguments[0], 10);
    if (base < 2 || base > 36) return RubyError("ArgumentError", absl::StrCat("invalid radix ", base));
    return Value(InBase(*integer, base));
  }
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

// Takes arrays within arrays apart, `levels` deep; below 0 all.
void FlattenTo(const Array& array, int64_t levels, Array* out) {
  for (const Value& value : array) {
    const Array* inner = levels == 0 ? nullptr : value.AsArray();
    if (inner != nullptr) {
      FlattenTo(*inner, levels - 1, out);
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

// A sum of floats that does not lose what is too small for each step: Kahan and Babuska's, as Ruby's sum is.
struct FloatSum {
  double sum = 0;
  double lost = 0;

  void Add(double number) {
    const double next = sum + number;
    if (std::isfinite(next)) lost += std::fabs(sum) >= std::fabs(number) ? sum - next + number : number - next + sum;
    sum = next;
  }
  Value Total() const { return Value(std::isfinite(sum) ? sum + lost : sum); }
};

// Texts and arrays grow in place, or each step would copy the sum.
Answer SumOf(const Array& array, const Value& initial) {
  Value sum = initial.IsNil() ? Value(int64_t{0}) : initial;
  std::optional<FloatSum> floats;  // the sum so far, from the first float on
  for (const Value& value : array) {
    const bool is_float = std::holds_alternative<double>(value.kind) && IsNumber(sum);
    if (!floats && is_float) floats = FloatSum{.sum = AsDouble(sum)};
    if (floats && IsNumber(value)) {
      floats->Add(AsDouble(value));
      continue;
    }
    if (floats) sum = std::exchange(floats, std::nullopt)->Total();
    const bool appends = (sum.AsString() != nullptr && value.AsString() != nullptr) ||
                         (sum.AsArray() != nullptr && value.AsArray() != nullptr);
    if (appends && !Append(value, &sum)) return sum.AsString() != nullptr ? TextTooLong() : TooManyElements();
    if (appends) continue;
    VAQUITA_ASSIGN_OR_RETURN(const auto next, CallMethod(&sum, "+", {value}));
    if (!next) return NotOf(value, "Integer");
    sum = *next;
  }
  return floats ? floats->Total() : sum;
}

Array PartOf(const Array& array, size_t from, size_t count) {
  const auto begin = array.begin() + static_cast<std::ptrdiff_t>(from);
  return Array(begin, begin + static_cast<std::ptrdiff_t>(count));
}

// Returns the argument that counts elements, at most `most`; `otherwise` if it is missing.
absl::StatusOr<size_t> CountOf(const Arguments& arguments, size_t otherwise, size_t most) {
  const int64_t count = IntegerOr(At(arguments, 0), static_cast<int64_t>(otherwise));
  if (count < 0) return RubyError("ArgumentError", "negative array size");
  return std::min(static_cast<size_t>(count), most);
}

Answer Ordered(const Array& array, std::string_view method, const Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(Array sorted, Sorted(array));
  if (method == "sort") return Value(std::move(sorted));
  if (method == "max") std::reverse(sorted.begin(), sorted.end());
  if (arguments.empty()) return sorted.empty() ? Value() : sorted.front();
  VAQUITA_ASSIGN_OR_RETURN(const size_t count, CountOf(arguments, 1, sorted.size()));
  return Value(PartOf(sorted, 0, count));
}

Answer Zipped(const Array& array, const Arguments& others) {
  // Each row has itself, an element, and one of each of the others, which may be empty.
  if (array.size() * (others.size() + 2) > static_cast<size_t>(kMostParts)) return TooManyElements();
  Array rows;
  for (size_t i = 0; i < array.size(); ++i) {
    Array row = {array[i]};
    for (const Value& other : others) row.push_back(At(*other.AsArray(), i));
    rows.emplace_back(std::move(row));
  }
  return Value(std::move(rows));
}

// The methods that leave an array as it is. Hashes and ranges have some of them, too (ruby_signatures.cc).
Answer ReadArrayBy(const Array& array, std::string_view method, const Arguments& arguments) {
  const Value& argument = At(arguments, 0);
  const auto is_argument = [&](const Value& value) { return AreEqual(value, argument); };
  const auto is_true = [](const Value& value) { return value.IsTruthy(); };
  if (method == "count" && !arguments.empty()) {
    return Value(int64_t{std::count_if(array.begin(), array.end(), is_argument)});
  }
  if (method == "length" || method == "size" || method == "count") return Value(static_cast<int64_t>(array.size()));
  if (method == "to_a" || method == "entries") return Value(array);
  if (method == "empty?") return Value(array.empty());
  if (method == "any?") return Value(std::any_of(array.begin(), array.end(), is_true));
  if (method == "all?") return Value(std::all_of(array.begin(), array.end(), is_true));
  if (method == "none?") return Value(std::none_of(array.begin(), array.end(), is_true));
  if (method == "include?" || method == "member?") {
    return Value(std::any_of(array.begin(), array.end(), is_argument));
  }
  if (method == "index" || method == "find_index") {
    const auto found = std::find_if(array.begin(), array.end(), is_argument);
    return found == array.end() ? Value() : Value(static_cast<int64_t>(found - array.begin()));
  }
  if (arguments.empty() && (method == "first" || method == "last")) {
    return array.empty() ? Value() : method == "first" ? array.front() : array.back();
  }
  if (method == "first" || method == "take" || method == "last" || method == "drop") {
    VAQUITA_ASSIGN_OR_RETURN(const size_t count, CountOf(arguments, 1, array.size()));
    if (method == "first" || method == "take") return Value(PartOf(array, 0, count));
    return Value(method == "drop" ? PartOf(array, count, array.size() - count)
                                  : PartOf(array, array.size() - count, count));
  }
  if (method == "join") return JoinedText(array, argument.ToText());
  if (method == "reverse") return Value(Array(array.rbegin(), array.rend()));
  if (method == "sum") return SumOf(array, argument);
  if (method == "sort" || method == "min" || method == "max") return Ordered(array, method, arguments);
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
    FlattenTo(array, std::max<int64_t>(IntegerOr(argument, -1), -1), &flat);
    return Value(std::move(flat));
  }
  if (method == "zip") return Zipped(array, arguments);
  return std::nullopt;
}

// Calls a method that changes the array and returns it. Returns false if the method is none of these.
absl::StatusOr<bool> ChangeArray(Array* array, std::string_view method, const Arguments& arguments) {
  const bool concat = method == "concat";
  const bool in_front = method == "unshift" || method == "prepend";
  if (!concat && !in_front && method != "<<" && method != "push" && method != "append") return false;
  size_t added = concat ? 0 : arguments.size();
  if (concat) {
    for (const Value& other : arguments) added += other.AsArray()->size();
  }
  if (static_cast<int64_t>(array->size() + added) > kMostParts) return TooManyElements();
  if (concat) {
    for (const Value& other : arguments) array->insert(array->end(), other.AsArray()->begin(), other.AsArray()->end());
  } else {
    array->insert(in_front ? array->begin() : array->end(), arguments.begin(), arguments.end());
  }
  return true;
}

// Removes elements at the end or the beginning, and returns them: one, or an array if their number is given.
Answer TakenFrom(Array* array, std::string_view method, const Arguments& arguments) {
  if (arguments.empty() && array->empty()) return Value();
  VAQUITA_ASSIGN_OR_RETURN(const size_t count, CountOf(arguments, 1, array->size()));
  const size_t from = method == "pop" ? array->size() - count : 0;
  Array taken = PartOf(*array, from, count);
  const auto begin = array->begin() + static_cast<std::ptrdiff_t>(from);
  array->erase(begin, begin + static_cast<std::ptrdiff_t>(count));
  return arguments.empty() ? taken.front() : Value(std::move(taken));
}

Answer CallOnArray(Value* receiver, std::string_view method, const Arguments& arguments) {
  Array& array = std::get<Array>(receiver->kind);
  const Array* other = At(arguments, 0).AsArray();
  if (method == "pop" || method == "shift") return TakenFrom(&array, method, arguments);
  if ((method == "+" || method == "-" || method == "&") && other == nullptr) return NotOf(At(arguments, 0), "Array");
  if (method == "+") {
    if (static_cast<int64_t>(array.size() + other->size()) > kMostParts) return TooManyElements();
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
    if (method == "&") return ReadArrayBy(out, "uniq", {});
    return Value(std::move(out));
  }
  if (method == "*") {
    if (const std::string* separator = At(arguments, 0).AsString()) return JoinedText(array, *separator);
    return RubyError("NotImplementedError", "an array times a number is Ruby that this shell does not run");
  }
  if (method == "[]") {
    VAQUITA_RETURN_IF_ERROR(CheckIndex(arguments));
    const std::optional<Slice> slice = SliceOf(arguments, array.size());
    if (!slice) return Value();
    if (slice->one) return array[slice->from];
    return Value(PartOf(array, slice->from, slice->count));
  }
  if (method == "[]=") {  // grows with nil
    if (arguments[0].AsInteger() == nullptr) return NotOf(arguments[0], "Integer");
    int64_t at = *arguments[0].AsInteger();
    if (at < 0) at += static_cast<int64_t>(array.size());
    if (at < 0 || at >= kMostParts) return RubyError("IndexError", "the index is outside the array");
    if (static_cast<size_t>(at) >= array.size()) array.resize(static_cast<size_t>(at) + 1);
    array[static_cast<size_t>(at)] = arguments[1];
    return arguments[1];
  }
  return ReadArrayBy(array, method, arguments);
}

// Goes on into the value that is found: hash.dig('a', 'b').
Answer Dug(const Value& value, const Arguments& keys) {
  Value found = value;
  for (const Value& key : keys) {
    if (found.IsNil()) return Value();
    if (!found.HasParts()) {
      return RubyError("TypeError", absl::StrCat(AbslText(found.ClassName()), " does not have #dig method"));
    }
    VAQUITA_ASSIGN_OR_RETURN(const auto next, CallMethod(&found, "[]", {key}));
    found = Value(next.value_or(Value()));
  }
  return found;
}

// Calls the method of an array on what `each` goes through.
Answer ReadItemsBy(const Value& receiver, std::string_view method, const Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const auto rounds, RoundsOf(receiver));
  Array items;
  for (size_t i = 0; i < rounds->size; ++i) items.push_back(rounds->at(i));
  return ReadArrayBy(items, method, arguments);
}

Answer CallOnHash(Value* receiver, std::string_view method, const Arguments& arguments) {
  Hash& hash = *receiver->AsHash();
  if (method == "dig") return Dug(*receiver, arguments);
  if (method == "[]" || method == "fetch") {
    const Value* found = hash.Find(arguments[0]);
    if (found == nullptr && method == "fetch" && arguments.size() < 2) {
      return RubyError("KeyError", absl::StrCat("key not found: ", arguments[0].Inspect()));
    }
    return found == nullptr ? At(arguments, 1) : *found;
  }
  if (method == "[]=" || method == "store") {
    hash.Set(arguments[0], arguments[1]);
    return arguments[1];
  }
  if (method == "delete") return hash.Remove(arguments[0]);
  if (method == "key?" || method == "has_key?" || method == "include?" || method == "member?") {
    return Value(hash.Find(arguments[0]) != nullptr);
  }
  if (method == "keys" || method == "values") {
    Array items;
    for (const HashEntry& entry : hash) items.push_back(method == "keys" ? entry.key : entry.value);
    return Value(std::move(items));
  }
  if (method == "compact") {
    Hash kept;
    for (const HashEntry& entry : hash) {
      if (!entry.value.IsNil()) kept.Set(entry.key, entry.value);
    }
    return Value(std::move(kept));
  }
  if (method == "merge") {
    Hash merged = hash;
    for (const Value& other : arguments) {
      for (const HashEntry& entry : *other.AsHash()) merged.Set(entry.key, entry.value);
    }
    return Value(std::move(merged));
  }
  if (method == "to_h") return *receiver;
  if (method == "size" || method == "length" || method == "empty?") {
    return method == "empty?" ? Value(hash.empty()) : Value(static_cast<int64_t>(hash.size()));
  }
  return ReadItemsBy(*receiver, method, arguments);
}

Answer CallOnRange(const Value& receiver, std::string_view method, const Arguments& arguments) {
  const Range range = std::get<Range>(receiver.kind);
  const __int128 count = std::max<__int128>(0, __int128{range.last} - range.first + (range.exclusive ? 0 : 1));
  if (method == "begin" || (method == "first" && arguments.empty())) return Value(range.first);
  if (method == "end" || (method == "last" && arguments.empty())) return Value(range.last);
  if (arguments.empty() && (method == "min" || method == "max")) {
    if (count == 0) return Value();
    return Value(method == "min" ? range.first : range.last - (range.exclusive ? 1 : 0));
  }
  if (method == "include?" || method == "member?" || method == "cover?" || method == "===") {
    const Value& value = arguments[0];
    if (!IsNumber(value)) return Value(false);
    const std::optional<int> after_first = CompareNumbers(value, Value(range.first));
    const std::optional<int> after_last = CompareNumbers(value, Value(range.last));
    return Value(after_first && after_last && *after_first >= 0 && *after_last <= (range.exclusive ? -1 : 0));
  }
  if (method == "size" || (method == "count" && arguments.empty())) {
    return count > std::numeric_limits<int64_t>::max() ? Answer(TooLarge()) : Value(static_cast<int64_t>(count));
  }
  return ReadItemsBy(receiver, method, arguments);
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
  if (method == "to_f" && receiver.IsNil()) return Value(0.0);
  if (method == "==") return Value(AreEqual(receiver, At(arguments, 0)));
  if (method == "eql?" || method == "equal?") return Value(receiver == At(arguments, 0));
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
  if (const std::string* text = receiver->AsString()) return CallOnText(*text, method, arguments);
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

absl::StatusOr<std::optional<Value>> CallMethod(Value* receiver, std::string_view method, const Arguments& arguments,
                                                bool wanted) {
  VAQUITA_ASSIGN_OR_RETURN(const bool known, CheckMethod(*receiver, method, arguments));
  if (!known) return std::nullopt;
  bool changed = false;
  if (std::string* text = std::get_if<std::string>(&receiver->kind)) {
    VAQUITA_ASSIGN_OR_RETURN(changed, ChangeText(text, method, arguments));
  } else if (Array* array = std::get_if<Array>(&receiver->kind)) {
    VAQUITA_ASSIGN_OR_RETURN(changed, ChangeArray(array, method, arguments));
  }
  if (changed) return wanted ? *receiver : Value();
  VAQUITA_ASSIGN_OR_RETURN(auto answer, CallByKind(receiver, method, arguments));
  if (answer) return answer;
  return CallOnAny(*receiver, method, arguments);
}

bool AreEqual(const Value& a, const Value& b) {
  if (IsNumber(a) && IsNumber(b)) return CompareNumbers(a, b) == 0;
  if (a.AsArray() != nullptr && b.AsArray() != nullptr) {
    return std::equal(a.AsArray()->begin(), a.AsArray()->end(), b.AsArray()->begin(), b.AsArray()->end(), AreEqual);
  }
  if (a.AsHash() == nullptr || b.AsHash() == nullptr) return a == b;
  if (a.AsHash()->size() != b.AsHash()->size()) return false;
  return std::all_of(a.AsHash()->begin(), a.AsHash()->end(), [&](const HashEntry& entry) {
    const Value* other = b.AsHash()->Find(entry.key);
    return other != nullptr && AreEqual(entry.value, *other);
  });
}

std::optional<int> Compare(const Value& a, const Value& b) {
  if (IsNumber(a) && IsNumber(b)) return CompareNumbers(a, b);
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
  const Symbol* left = std::get_if<Symbol>(&a.kind);
  const Symbol* right = std::get_if<Symbol>(&b.kind);
  if (left != nullptr && right != nullptr) return Compare(Value(left->name), Value(right->name));
  return AreEqual(a, b) ? std::optional(0) : std::nullopt;
}

}  // namespace vaquita::shell

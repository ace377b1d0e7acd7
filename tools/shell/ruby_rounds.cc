#include "tools/shell/ruby_rounds.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "tools/shell/ruby_arguments.h"

namespace vaquita::shell {
namespace {

constexpr int64_t kMostCounted = 1'000'000;  // rounds of one counted loop

absl::Status TooManyRounds() { return RubyError("RangeError", "a loop has at most a million rounds here"); }

// Where a counted loop begins, ends and how it goes on. Without an end it has no bound.
struct Count {
  Value from;
  std::optional<Value> to;
  Value by = Value(int64_t{1});
  bool exclusive = false;
};

absl::StatusOr<Rounds> CountedFloats(const Count& count) {
  const double from = AsDouble(count.from);
  const double by = AsDouble(count.by);
  if (!count.to) return TooManyRounds();
  const double to = AsDouble(*count.to);
  // Ruby's own tolerance, by which 1.0 is reached in steps of 0.1.
  const double steps = (to - from) / by;
  const double error = std::min(
      (std::fabs(from) + std::fabs(to) + std::fabs(to - from)) / std::fabs(by) * std::numeric_limits<double>::epsilon(),
      0.5);
  if (std::isnan(steps) || steps + error >= static_cast<double>(kMostCounted)) return TooManyRounds();
  double last = std::floor(steps + error);
  if (count.exclusive) last = steps <= 0 ? -1 : steps < 1 ? 0 : std::floor(steps - error);
  return Rounds{last < 0 ? 0 : static_cast<size_t>(last) + 1, [=](size_t i) {
                  const double number = static_cast<double>(i) * by + from;
                  return Value(by >= 0 ? std::min(number, to) : std::max(number, to));
                }};
}

absl::StatusOr<Rounds> CountedNumbers(const Count& count) {
  if (AsDouble(count.by) == 0) return RubyError("ArgumentError", "step can't be 0");
  const bool whole = count.from.AsInteger() != nullptr && count.by.AsInteger() != nullptr &&
                     (!count.to || count.to->AsInteger() != nullptr);
  if (!whole) return CountedFloats(count);
  if (!count.to) return TooManyRounds();
  // The difference of two numbers of 64 bits may need one more.
  const __int128 from = *count.from.AsInteger();
  const __int128 by = *count.by.AsInteger();
  const __int128 to = __int128{*count.to->AsInteger()} - (count.exclusive ? 1 : 0);
  if ((to - from) / by >= kMostCounted) return TooManyRounds();
  const bool is_empty = by > 0 ? to < from : to > from;
  return Rounds{is_empty ? 0 : static_cast<size_t>((to - from) / by) + 1,
                [=](size_t i) { return Value(static_cast<int64_t>(from + static_cast<__int128>(i) * by)); }};
}

// number.step(to, by), where both may be missing or be named.
absl::StatusOr<Count> StepOf(const Value& from, Arguments arguments) {
  Count count = {.from = from};
  if (!arguments.empty() && arguments.back().AsHash() != nullptr) {
    for (const HashEntry& option : *arguments.back().AsHash()) {
      const Symbol* name = std::get_if<Symbol>(&option.key.kind);
      if (name == nullptr || (name->name != "by" && name->name != "to")) {
        return RubyError("ArgumentError", absl::StrCat("unknown keyword: ", option.key.Inspect()));
      }
      if (name->name == "by") count.by = option.value;
      if (name->name == "to") count.to = option.value;
    }
    arguments.pop_back();
  }
  if (arguments.size() > 2) return WrongArguments(arguments.size(), "0..2");
  if (!arguments.empty()) count.to = arguments[0];
  if (arguments.size() == 2) count.by = arguments[1];
  if (count.to && count.to->IsNil()) count.to.reset();
  if (count.to && !IsNumber(*count.to)) return NotOf(*count.to, "Integer");
  if (!IsNumber(count.by)) return NotOf(count.by, "Integer");
  return count;
}

absl::StatusOr<Count> StepOfRange(const Range& range, const Arguments& arguments) {
  if (arguments.size() > 1) return WrongArguments(arguments.size(), "0..1");
  Count count = {.from = Value(range.first), .to = Value(range.last), .exclusive = range.exclusive};
  if (!arguments.empty()) count.by = arguments[0];
  if (!IsNumber(count.by)) return NotOf(count.by, "Integer");
  if (AsDouble(count.by) < 0) return RubyError("ArgumentError", "step can't be negative");
  return count;
}

absl::StatusOr<Count> UpToOrDownTo(const Value& from, bool up, const Arguments& arguments) {
  if (arguments.size() != 1) return WrongArguments(arguments.size(), "1");
  const Value& to = arguments[0];
  if (!IsNumber(to)) {
    return RubyError("ArgumentError", absl::StrCat("comparison of Integer with ", to.Inspect(), " failed"));
  }
  Count count = {.from = from, .to = to, .by = Value(int64_t{up ? 1 : -1})};
  if (to.AsInteger() == nullptr) {
    // The rounds are whole numbers, too, if the end is none.
    const double last = up ? std::floor(AsDouble(to)) : std::ceil(AsDouble(to));
    VAQUITA_ASSIGN_OR_RETURN(const int64_t integer, IntegerOf(last));
    count.to = Value(integer);
  }
  return count;
}

absl::StatusOr<Rounds> SlicesOf(const Rounds& items, int64_t size) {
  if (size < 1) return RubyError("ArgumentError", "invalid slice size");
  const auto step = static_cast<size_t>(std::min<int64_t>(size, kMostParts));
  return Rounds{(items.size + step - 1) / step, [=](size_t i) {
                  Array slice;
                  for (size_t j = i * step; j < std::min(items.size, (i + 1) * step); ++j) slice.push_back(items.at(j));
                  return Value(std::move(slice));
                }};
}

}  // namespace

std::optional<absl::StatusOr<Rounds>> CountedRounds(const Value& receiver, std::string_view method,
                                                    const Arguments& arguments) {
  const int64_t* start = receiver.AsInteger();
  const Range* range = std::get_if<Range>(&receiver.kind);
  absl::StatusOr<Count> count;
  if (start != nullptr && method == "times") {
    if (!arguments.empty()) return WrongArguments(arguments.size(), "0");
    count = Count{.from = Value(int64_t{0}), .to = receiver, .exclusive = true};
  } else if (start != nullptr && (method == "upto" || method == "downto")) {
    count = UpToOrDownTo(receiver, method == "upto", arguments);
  } else if (IsNumber(receiver) && method == "step") {
    count = StepOf(receiver, arguments);
  } else if (range != nullptr && method == "step") {
    count = StepOfRange(*range, arguments);
  } else {
    return std::nullopt;
  }
  if (!count.ok()) return count.status();
  return CountedNumbers(*count);
}

absl::StatusOr<std::optional<Rounds>> RoundsOf(const Value& receiver) {
  if (const Array* array = receiver.AsArray()) return Rounds{array->size(), [=](size_t i) { return (*array)[i]; }};
  if (const Hash* hash = receiver.AsHash()) {
    return Rounds{hash->size(), [=](size_t i) { return Value(Array{(*hash)[i].key, (*hash)[i].value}); }};
  }
  const Range* range = std::get_if<Range>(&receiver.kind);
  if (range == nullptr) return std::nullopt;
  const __int128 count = __int128{range->last} - range->first + (range->exclusive ? 0 : 1);
  if (count > kMostParts) return TooManyElements();
  return Rounds{count < 0 ? 0 : static_cast<size_t>(count),
                [first = range->first](size_t i) { return Value(first + static_cast<int64_t>(i)); }};
}

absl::StatusOr<Rounds> RoundsOfMethod(std::string_view method, const Value& receiver, const Arguments& arguments,
                                      const Rounds& items) {
  if (method == "each_slice") return SlicesOf(items, IntegerOr(At(arguments, 0), 0));
  if (method == "each_index") return Rounds{items.size, [](size_t i) { return Value(static_cast<int64_t>(i)); }};
  if (method == "reverse_each") return Rounds{items.size, [=](size_t i) { return items.at(items.size - 1 - i); }};
  const Hash* hash = receiver.AsHash();
  if (method == "each_key") return Rounds{items.size, [=](size_t i) { return (*hash)[i].key; }};
  if (method == "each_value") return Rounds{items.size, [=](size_t i) { return (*hash)[i].value; }};
  return items;
}

}  // namespace vaquita::shell

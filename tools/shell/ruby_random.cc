#include "tools/shell/ruby_random.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <variant>

#include "base/status.h"
#include "tools/shell/ruby_arguments.h"

namespace vaquita::shell {
namespace {

absl::Status CheckAtMostOne(const Arguments& arguments) {
  return arguments.size() <= 1 ? absl::OkStatus() : WrongArguments(arguments.size(), "0..1");
}

}  // namespace

int64_t RubyRandom::NewSeed() {
  std::random_device device;
  return static_cast<int64_t>((uint64_t{device()} << 32 | device()) >> 1);
}

absl::StatusOr<Value> RubyRandom::Rand(const Arguments& arguments) {
  VAQUITA_RETURN_IF_ERROR(CheckAtMostOne(arguments));
  const Value& most = At(arguments, 0);
  if (const Range* range = std::get_if<Range>(&most.kind)) {
    const int64_t last = range->last;
    if (range->first > last || (range->exclusive && range->first == last)) return Value();
    const uint64_t span =
        static_cast<uint64_t>(last) - static_cast<uint64_t>(range->first) - (range->exclusive ? 1 : 0);
    return Value(static_cast<int64_t>(static_cast<uint64_t>(range->first) + UpTo(span)));
  }
  if (!most.IsNil() && !IsNumber(most)) return NotOf(most, "Integer");
  int64_t below = 0;
  if (!most.IsNil()) {
    VAQUITA_ASSIGN_OR_RETURN(below, most.AsInteger() != nullptr ? absl::StatusOr<int64_t>(*most.AsInteger())
                                                                : IntegerOf(std::trunc(AsDouble(most))));
  }
  if (below == 0) return Value(static_cast<double>(UpTo((uint64_t{1} << 53) - 1)) * 0x1p-53);
  const uint64_t size = below < 0 ? -static_cast<uint64_t>(below) : static_cast<uint64_t>(below);
  return Value(static_cast<int64_t>(UpTo(size - 1)));
}

absl::StatusOr<Value> RubyRandom::Seed(const Arguments& arguments) {
  VAQUITA_RETURN_IF_ERROR(CheckAtMostOne(arguments));
  const Value& seed = At(arguments, 0);
  if (!arguments.empty() && !IsNumber(seed)) return NotOf(seed, "Integer");
  const int64_t before = seed_;
  *this = arguments.empty() ? RubyRandom() : RubyRandom(IntegerOr(seed, 0));
  return Value(before);
}

absl::StatusOr<Value> RubyRandom::Sample(Array array, const Arguments& arguments) {
  VAQUITA_RETURN_IF_ERROR(CheckAtMostOne(arguments));
  if (arguments.empty()) return array.empty() ? Value() : array[UpTo(array.size() - 1)];
  if (!IsNumber(arguments[0])) return NotOf(arguments[0], "Integer");
  const int64_t count = IntegerOr(arguments[0], 0);
  if (count < 0) return RubyError("ArgumentError", "negative sample number");
  Value shuffled = Shuffle(std::move(array));
  Array& taken = std::get<Array>(shuffled.kind);
  taken.resize(std::min(taken.size(), static_cast<size_t>(count)));
  return shuffled;
}

Value RubyRandom::Shuffle(Array array) {
  for (size_t i = array.size(); i > 1; --i) std::swap(array[i - 1], array[UpTo(i - 1)]);
  return Value(std::move(array));
}

}  // namespace vaquita::shell

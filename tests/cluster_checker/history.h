// tests/cluster_checker/history.h: what clients did to one register, and what they were told.
//
// A register is one column of one row: absent, or a number. Times are of one monotonic clock, in nanoseconds.
// An operation whose client got an error may have been executed or not, now or later: it has no end, and no result. One
// that is certain not to have been executed is in no history.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace vaquita::checker {

using Register = std::optional<int64_t>;  // none: absent

inline constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

struct Operation {
  enum class Kind {
    kRead,
    kPut,            // of `argument`
    kAdd,            // `argument` to what is there, absent counts as 0
    kCompareAndSet,  // to `argument`, if there is `expected`
  };
  Kind kind = Kind::kRead;
  int client = 0;
  int64_t argument = 0;
  Register expected;
  int64_t invoked_ns = 0;
  int64_t returned_ns = kNever;  // kNever: the outcome is unknown
  Register result;               // of a read, and of an addition: absent if that can no longer be told
  bool succeeded = false;        // a compare-and-set: the condition held

  bool known() const { return returned_ns != kNever; }
};

using History = std::vector<Operation>;

int64_t MonotonicNs();
std::string ToText(const Operation& operation);
// One operation a line, in the order of their beginnings, times in milliseconds since the first.
std::string ToText(History history);

}  // namespace vaquita::checker

// tests/cluster_checker/history.h: the operations of clients on one register, and their answers.
//
// A register is one column of one row: absent, or a number. Times are of one monotonic clock, in nanoseconds. An
// operation whose client got an error may be executed or not, now or later: it has no end and no result. One that was
// certainly not executed is left out of the history.
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
    kPut,            // sets `argument`
    kAdd,            // adds `argument`; absent counts as 0
    kCompareAndSet,  // sets `argument` if the value is `expected`
  };
  Kind kind = Kind::kRead;
  int client = 0;
  int64_t argument = 0;
  Register expected;
  int64_t invoked_ns = 0;
  int64_t returned_ns = kNever;  // kNever: the outcome is unknown
  Register result;               // for a read or an addition; absent if an addition's is not known any more
  bool succeeded = false;        // for a compare-and-set: the condition held

  bool known() const { return returned_ns != kNever; }
};

using History = std::vector<Operation>;

int64_t MonotonicNs();
std::string ToText(const Operation& operation);
// Writes one operation per line, in the order of their beginnings, with times in milliseconds since the first.
std::string ToText(History history);

}  // namespace vaquita::checker

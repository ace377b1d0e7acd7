// region/filter/comparator.h: a running comparator, which compares a client's value with the bytes of a cell.
//
// Source: org.apache.hadoop.hbase.filter.ByteArrayComparable and its subclasses (2.6). Threads: one at a time.
#pragma once

#include <limits>
#include <memory>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/java_regex.h"
#include "model/filter_spec.h"

namespace vaquita {

// Returned by Compare if the comparison failed.
inline constexpr int kIncomparable = std::numeric_limits<int>::min();

// A comparison fails with kDoNotRetryIO if the bytes are not a number of the comparator's kind (HBase throws an
// unchecked exception there, which its clients retry), or if searches exceed their limits. The error stays,
// so a caller that compares many cells may check it once in a while; the results since the error are void.
class Comparator {
 public:
  virtual ~Comparator() = default;
  // Returns a negative number, zero or a positive number if the client's value is less than, equal to or greater than
  // `bytes`; kIncomparable after an error.
  virtual int Compare(std::string_view bytes) = 0;
  // Returns the first error.
  const absl::Status& status() const { return status_; }

 protected:
  int Fail(absl::Status error) {
    status_.Update(std::move(error));
    return kIncomparable;
  }

 private:
  absl::Status status_;
};

// The searches of a list of filters have this left for the present cell or row key.
struct SearchLimits {
  SearchTime regex_time;
  int64_t substring_bytes = int64_t{1} << 30;  // in which substrings are searched for: some seconds
};

// Returns kDoNotRetryIO if a regular expression cannot be compiled; kIllegalArgument if the comparator is malformed
// otherwise. Searches keep to `*limits`, which outlives the comparator; null: each has its own.
absl::StatusOr<std::unique_ptr<Comparator>> MakeComparator(const ComparatorSpec& spec, SearchLimits* limits = nullptr);

// Returns whether a cell is filtered out whose comparison gave `comparison` (CompareFilter.compare); always for kNoOp.
// Note the direction: a cell is less than the client's value if `comparison` is positive.
bool IsFilteredOut(CompareOp op, int comparison);

}  // namespace vaquita

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
// unchecked exception there, which its clients retry), or if a regular expression exceeds its limits. The error stays,
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

// Returns kDoNotRetryIO if a regular expression cannot be compiled; kIllegalArgument if the comparator is malformed
// otherwise. A regular expression searches in `*search_time`, which outlives it; null: each search has its own.
absl::StatusOr<std::unique_ptr<Comparator>> MakeComparator(const ComparatorSpec& spec,
                                                           SearchTime* search_time = nullptr);

// Returns whether a cell is filtered out whose comparison gave `comparison` (CompareFilter.compare); always for kNoOp.
// Note the direction: a cell is less than the client's value if `comparison` is positive.
bool IsFilteredOut(CompareOp op, int comparison);

}  // namespace vaquita

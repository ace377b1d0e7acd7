// region/filter/comparator.h: a running comparator: a value of the client's against the bytes of a cell.
//
// Source: org.apache.hadoop.hbase.filter.ByteArrayComparable and its subclasses (2.6).
// Threads: none of its own; one owner.
#pragma once

#include <limits>
#include <memory>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/filter_spec.h"

namespace vaquita {

// Returned by Compare if the comparison failed.
inline constexpr int kIncomparable = std::numeric_limits<int>::min();

// A comparison fails with kDoNotRetryIO: bytes that are no number of the comparator's kind (HBase throws an unchecked
// exception there, which its clients retry), or a regular expression that does not end within its limits. The error
// stays, so that whoever compares cell by cell may look at it once in a while; what was decided since is void.
class Comparator {
 public:
  virtual ~Comparator() = default;
  // Negative, zero or positive as the client's value is before, like or after `bytes`; kIncomparable after an error.
  virtual int Compare(std::string_view bytes) = 0;
  // The first error.
  const absl::Status& status() const { return status_; }

 protected:
  int Fail(absl::Status error) {
    status_.Update(std::move(error));
    return kIncomparable;
  }

 private:
  absl::Status status_;
};

// kDoNotRetryIO for a regular expression that cannot be compiled, kIllegalArgument for another malformed comparator.
absl::StatusOr<std::unique_ptr<Comparator>> MakeComparator(const ComparatorSpec& spec);

// HBase's CompareFilter.compare: whether a cell is out of which a comparator gave `comparison`; always for kNoOp. Note
// the direction: a cell is less than the client's value when `comparison` is positive.
bool IsFilteredOut(CompareOp op, int comparison);

}  // namespace vaquita

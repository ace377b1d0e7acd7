// region/comparator.h: a running comparator: a value of the client's against the bytes of a cell.
//
// Source: org.apache.hadoop.hbase.filter.ByteArrayComparable and its subclasses (2.6).
// Threads: none of its own; one owner.
#pragma once

#include <limits>
#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "region/filter_spec.h"

namespace vaquita {

// What Compare gives for bytes that are no number of the comparator's kind (8 bytes for kLong, 5 or more for
// kBigDecimal). HBase's scan fails there with a Java exception; Vaquita takes the cell as one that no operator matches.
inline constexpr int kIncomparable = std::numeric_limits<int>::min();

class Comparator {
 public:
  virtual ~Comparator() = default;
  // Negative, zero or positive as the client's value is before, like or after `bytes`; or kIncomparable.
  virtual int Compare(std::string_view bytes) = 0;
};

// kDoNotRetryIO for a regular expression that cannot be compiled, kIllegalArgument for another malformed comparator.
absl::StatusOr<std::unique_ptr<Comparator>> MakeComparator(const ComparatorSpec& spec);

// HBase's CompareFilter.compare: whether a cell is out of which a comparator gave `comparison`; always for kNoOp. Note
// the direction: a cell is less than the client's value when `comparison` is positive.
bool IsFilteredOut(CompareOp op, int comparison);

}  // namespace vaquita

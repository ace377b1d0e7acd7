// client/distribution/bucket_scan.h: translates a read in original keys to the rows of one bucket.
//
// Row ranges: both ends get the prefix; an open end becomes the bucket's. Filters: those that look at rows are changed
// so that they decide on the original key. All others, which look at families, qualifiers, timestamps and values, stay
// as they are, also inside SKIP and lists.
//
//   PrefixFilter, InclusiveStopFilter, MultiRowRangeFilter      their rows get the prefix
//   FuzzyRowFilter                                              its patterns get the prefix, with a mask that fixes it
//   RowFilter with binary or binaryprefix                       its bytes get the prefix
//   RowFilter with binarycomponent                              its offset grows by the prefix's length; refused if it
//                                                               would be more than 2147483647
//   RowFilter with any other comparator                         refused: it would see the prefix, too
//   WhileMatchFilter                                            refused: a row that ends one bucket's scan says nothing
//                                                               of the others' rows
//   PageFilter, RandomRowFilter, ...                            as they are; PageFilter counts by bucket and region
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/operations.h"

namespace vaquita::client {

RowRange RangeOfBucket(const RowRange& original, bool reversed, std::string_view prefix);

// Returns the filter for one bucket, or kIllegalArgument, naming the filter, if it is refused.
absl::StatusOr<FilterSpec> FilterOfBucket(const FilterSpec& original, std::string_view prefix);

// Returns the scan with the range and the filter of the bucket.
absl::StatusOr<Scan> ScanOfBucket(const Scan& original, std::string_view prefix);

// Returns kIllegalArgument if any part of the filter looks at rows. For distributed keys that are not made of a prefix
// and the original key.
absl::Status CheckIgnoresRows(const FilterSpec& filter);

}  // namespace vaquita::client

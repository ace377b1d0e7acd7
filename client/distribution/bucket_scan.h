// client/distribution/bucket_scan.h: what a read in original keys is for the rows behind one prefix.
//
// Row ranges: both ends get the prefix; an open end becomes the bucket's.
// Filters: those that look at rows are changed so that they decide on the original key; all others, which look at
// families, qualifiers, timestamps and values, stay as they are, inside SKIP and lists, too.
//
//   PrefixFilter, InclusiveStopFilter, MultiRowRangeFilter      their rows get the prefix
//   FuzzyRowFilter                                              its patterns get the prefix, with a mask that fixes it
//   RowFilter with binary or binaryprefix                       its bytes get the prefix
//   RowFilter with binarycomponent                              its offset grows by the prefix's length
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

// kIllegalArgument, naming the filter, for one that is refused.
absl::StatusOr<FilterSpec> FilterOfBucket(const FilterSpec& original, std::string_view prefix);

// The same scan with the range and the filter of the bucket.
absl::StatusOr<Scan> ScanOfBucket(const Scan& original, std::string_view prefix);

// For distributed keys that are no prefix and the original key: kIllegalArgument if any part of the filter looks at
// rows.
absl::Status CheckIgnoresRows(const FilterSpec& filter);

}  // namespace vaquita::client

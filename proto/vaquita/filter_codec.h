// proto/vaquita/filter_codec.h: translates filters and comparators to and from proto/vaquita/v1/filter.proto.
//
// Errors: kIllegalArgument, naming the field, if a value is missing or unknown. MakeFilter checks the filter's values.
#pragma once

#include "absl/status/status.h"
#include "model/filter_spec.h"
#include "vaquita/v1/filter.pb.h"

namespace vaquita {

void ToProto(const RowRange& range, v1::RowRange* out);
RowRange FromProto(const v1::RowRange& range);

void ToProto(const ComparatorSpec& comparator, v1::Comparator* out);
absl::Status FromProto(const v1::Comparator& comparator, ComparatorSpec* out);

void ToProto(const FilterSpec& filter, v1::Filter* out);
absl::Status FromProto(const v1::Filter& filter, FilterSpec* out);

}  // namespace vaquita

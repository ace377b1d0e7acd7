// proto/hbase/filter_codec.h: translates filters and comparators to and from HBase's form: a Java class's name, and
// bytes for its parseFrom.
//
// Errors: kDoNotRetryIO, as HBase, with a java.lang.ClassNotFoundException for an unknown class, and a
// DeserializationException for bytes that the class cannot read. MakeFilter checks the filter's values
// (region/filter/filter.h). Source: ProtobufUtil.toFilter, toComparator and the classes of
// org.apache.hadoop.hbase.filter (2.6). Threads: any.
#pragma once

#include "absl/status/status.h"
#include "hbase/Filter.pb.h"
#include "model/filter_spec.h"
#include "proto/hbase/pb.h"

namespace vaquita {

void EncodeComparator(const ComparatorSpec& comparator, pb::Comparator* out);
absl::Status DecodeComparator(const pb::Comparator& comparator, ComparatorSpec* out);

void EncodeFilter(const FilterSpec& filter, pb::Filter* out);
// Refuses filters nested deeper than kMaxFilterDepth. Holds no more than about twice the message's bytes at a time.
absl::Status DecodeFilter(const pb::Filter& filter, FilterSpec* out);

}  // namespace vaquita

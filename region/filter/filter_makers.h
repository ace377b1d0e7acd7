// region/filter/filter_makers.h: one maker for each kind of filter, called by MakeFilter.
//
// Each struct of filter_spec.h has an overload, defined in the file of its group. A filter inside SKIP or WHILE never
// knows that a scan is reversed, since HBase's SkipFilter and WhileMatchFilter do not pass that on.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "model/filter_spec.h"
#include "region/filter/filter.h"

namespace vaquita {

using FilterOr = absl::StatusOr<std::unique_ptr<Filter>>;

// compare_filters.cc
FilterOr MakeFilterOf(const CompareFilterSpec& spec, bool reversed);
FilterOr MakeFilterOf(const SingleColumnValueFilterSpec& spec, bool reversed);
FilterOr MakeFilterOf(const DependentColumnFilterSpec& spec, bool reversed);
FilterOr MakeFilterOf(const ColumnValueFilterSpec& spec, bool reversed);

// column_filters.cc
FilterOr MakeFilterOf(const ColumnPrefixFilterSpec& spec, bool reversed);
FilterOr MakeFilterOf(const MultipleColumnPrefixFilterSpec& spec, bool reversed);
FilterOr MakeFilterOf(const ColumnRangeFilterSpec& spec, bool reversed);
FilterOr MakeFilterOf(const ColumnCountGetFilterSpec& spec, bool reversed);
FilterOr MakeFilterOf(const ColumnPaginationFilterSpec& spec, bool reversed);
FilterOr MakeFilterOf(const FirstKeyOnlyFilterSpec& spec, bool reversed);
FilterOr MakeFilterOf(const FirstKeyValueMatchingQualifiersFilterSpec& spec, bool reversed);
FilterOr MakeFilterOf(const KeyOnlyFilterSpec& spec, bool reversed);
FilterOr MakeFilterOf(const TimestampsFilterSpec& spec, bool reversed);

// row_filters.cc
FilterOr MakeFilterOf(const FilterAllSpec& spec, bool reversed);
FilterOr MakeFilterOf(const PageFilterSpec& spec, bool reversed);
FilterOr MakeFilterOf(const PrefixFilterSpec& spec, bool reversed);
FilterOr MakeFilterOf(const InclusiveStopFilterSpec& spec, bool reversed);
FilterOr MakeFilterOf(const RandomRowFilterSpec& spec, bool reversed);

// filter_list.cc
FilterOr MakeFilterOf(const FilterListSpec& spec, bool reversed);

// wrapping_filters.cc
FilterOr MakeFilterOf(const SkipFilterSpec& spec, bool reversed);
FilterOr MakeFilterOf(const WhileMatchFilterSpec& spec, bool reversed);

// fuzzy_row_filter.cc
FilterOr MakeFilterOf(const FuzzyRowFilterSpec& spec, bool reversed);

// multi_row_range_filter.cc
FilterOr MakeFilterOf(const MultiRowRangeFilterSpec& spec, bool reversed);

// spark_sql_filter.cc
FilterOr MakeFilterOf(const SparkSqlFilterSpec& spec, bool reversed);

}  // namespace vaquita

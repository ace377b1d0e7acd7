// region/filter/filter_makers.h: one maker for each kind of filter, called by MakePart.
//
// Each struct of filter_spec.h has an overload, defined in the file of its group. A filter inside SKIP or WHILE never
// knows that a scan is reversed, since HBase's SkipFilter and WhileMatchFilter do not pass that on.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "model/filter_spec.h"
#include "region/filter/comparator.h"
#include "region/filter/filter.h"

namespace vaquita {

using FilterOr = absl::StatusOr<std::unique_ptr<Filter>>;

// The state that all filters of one MakeFilter share.
struct FilterRun {
  bool failed = false;  // a comparison has failed: what the filters answer since then is void
  SearchLimits search_limits;
};

struct FilterMaking {
  bool reversed = false;
  bool in_list = false;  // at any depth
  std::shared_ptr<FilterRun> run;
};

// make_filter.cc: makes a filter that is a part of another.
FilterOr MakePart(const FilterSpec& spec, const FilterMaking& making);

// compare_filters.cc
FilterOr MakeFilterOf(const CompareFilterSpec& spec, const FilterMaking& making);
FilterOr MakeFilterOf(const SingleColumnValueFilterSpec& spec, const FilterMaking& making);
FilterOr MakeFilterOf(const DependentColumnFilterSpec& spec, const FilterMaking& making);
FilterOr MakeFilterOf(const ColumnValueFilterSpec& spec, const FilterMaking& making);

// column_filters.cc
FilterOr MakeFilterOf(const ColumnPrefixFilterSpec& spec, const FilterMaking& making);
FilterOr MakeFilterOf(const MultipleColumnPrefixFilterSpec& spec, const FilterMaking& making);
FilterOr MakeFilterOf(const ColumnRangeFilterSpec& spec, const FilterMaking& making);
FilterOr MakeFilterOf(const ColumnCountGetFilterSpec& spec, const FilterMaking& making);
FilterOr MakeFilterOf(const ColumnPaginationFilterSpec& spec, const FilterMaking& making);
FilterOr MakeFilterOf(const FirstKeyOnlyFilterSpec& spec, const FilterMaking& making);
FilterOr MakeFilterOf(const FirstKeyValueMatchingQualifiersFilterSpec& spec, const FilterMaking& making);
FilterOr MakeFilterOf(const KeyOnlyFilterSpec& spec, const FilterMaking& making);
FilterOr MakeFilterOf(const TimestampsFilterSpec& spec, const FilterMaking& making);

// row_filters.cc
FilterOr MakeFilterOf(const FilterAllSpec& spec, const FilterMaking& making);
FilterOr MakeFilterOf(const PageFilterSpec& spec, const FilterMaking& making);
FilterOr MakeFilterOf(const PrefixFilterSpec& spec, const FilterMaking& making);
FilterOr MakeFilterOf(const InclusiveStopFilterSpec& spec, const FilterMaking& making);
FilterOr MakeFilterOf(const RandomRowFilterSpec& spec, const FilterMaking& making);

// filter_list.cc
FilterOr MakeFilterOf(const FilterListSpec& spec, const FilterMaking& making);

// wrapping_filters.cc
FilterOr MakeFilterOf(const SkipFilterSpec& spec, const FilterMaking& making);
FilterOr MakeFilterOf(const WhileMatchFilterSpec& spec, const FilterMaking& making);

// fuzzy_row_filter.cc
FilterOr MakeFilterOf(const FuzzyRowFilterSpec& spec, const FilterMaking& making);

// multi_row_range_filter.cc
FilterOr MakeFilterOf(const MultiRowRangeFilterSpec& spec, const FilterMaking& making);

// spark_sql_filter.cc
FilterOr MakeFilterOf(const SparkSqlFilterSpec& spec, const FilterMaking& making);

}  // namespace vaquita

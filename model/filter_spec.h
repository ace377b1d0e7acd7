// model/filter_spec.h: a filter as plain data, with the fields of hbase-client's filter and comparator classes.
//
// The wire forms and the filter language (filter_language.h) are turned into a FilterSpec; MakeFilter (filter.h) makes
// the filter that runs. One struct per class of org.apache.hadoop.hbase.filter (2.6), with its constructor's defaults.
// The client library includes this file too.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/cell.h"

namespace vaquita {

enum class CompareOp { kLess, kLessOrEqual, kEqual, kNotEqual, kGreaterOrEqual, kGreater, kNoOp };

struct ComparatorSpec {
  enum class Type {
    kBinary,           // bytes
    kBinaryPrefix,     // the value's first bytes
    kBinaryComponent,  // bytes at `offset`
    kRegex,            // `bytes` is the pattern; found anywhere, PCRE2, byte semantics unless `charset` is UTF-8
    kSubstring,        // case-insensitive
    kNull,
    kBit,         // `bit_op` of `bytes` and the value gives something other than 0
    kLong,        // 8-byte big-endian; `bytes` holds it
    kBigDecimal,  // `bytes` holds HBase's Bytes.toBytes(BigDecimal): 4-byte scale, unscaled value
  };
  enum class BitOp { kAnd, kOr, kXor };
  Type type = Type::kBinary;
  std::string bytes;
  int32_t offset = 0;
  BitOp bit_op = BitOp::kAnd;
  std::string charset = "UTF-8";  // kRegex
  int32_t regex_flags = 0;        // kRegex: java.util.regex.Pattern's flags
};

// The deepest nesting of filters. Decoders of clients' bytes refuse more, so that no request can exhaust the stack of a
// server's thread.
inline constexpr int kMaxFilterDepth = 100;

struct FilterSpec;

struct FilterListSpec {
  enum class Operator { kMustPassAll, kMustPassOne };
  Operator op = Operator::kMustPassAll;
  std::vector<FilterSpec> filters;
};
// Row, family, qualifier or value compared.
struct CompareFilterSpec {
  enum class What { kRow, kFamily, kQualifier, kValue };
  What what = What::kRow;
  CompareOp op = CompareOp::kEqual;
  ComparatorSpec comparator;
};
struct SingleColumnValueFilterSpec {
  std::string family, qualifier;
  CompareOp op = CompareOp::kEqual;
  ComparatorSpec comparator;
  bool filter_if_missing = false;
  bool latest_version_only = true;
  bool exclude_column = false;  // SingleColumnValueExcludeFilter
};
struct DependentColumnFilterSpec {
  std::string family, qualifier;
  bool drop_dependent_column = false;
  CompareOp op = CompareOp::kNoOp;
  std::vector<ComparatorSpec> comparator;  // none or one
};
struct ColumnValueFilterSpec {
  std::string family, qualifier;
  CompareOp op = CompareOp::kEqual;
  ComparatorSpec comparator;
};
struct ColumnPrefixFilterSpec {
  std::string prefix;
};
struct MultipleColumnPrefixFilterSpec {
  std::vector<std::string> prefixes;
};
struct ColumnRangeFilterSpec {
  bool has_min = false, min_inclusive = true, has_max = false, max_inclusive = false;
  std::string min, max;
};
struct ColumnCountGetFilterSpec {
  int32_t limit = 0;
};
struct ColumnPaginationFilterSpec {
  int32_t limit = 0;
  int32_t offset = -1;                     // or, if column_offset is given,
  std::vector<std::string> column_offset;  // none or one: the column to start at
};
struct PageFilterSpec {
  int64_t page_size = 0;
};
struct PrefixFilterSpec {
  std::string prefix;
};
struct FirstKeyOnlyFilterSpec {};
struct FirstKeyValueMatchingQualifiersFilterSpec {
  std::vector<std::string> qualifiers;
};
struct KeyOnlyFilterSpec {
  bool length_as_value = false;
};
struct InclusiveStopFilterSpec {
  std::string stop_row;
};
struct FuzzyRowFilterSpec {
  // Row pattern and mask of the same length: mask byte 0 means that byte must match, 1 that any byte does.
  // (hbase-client sends it changed: 0 as -1, and 1 as 2 or, if is_mask_v2 is not set, as 0.)
  std::vector<std::pair<std::string, std::string>> fuzzy_keys;
};
struct MultiRowRangeFilterSpec {
  std::vector<RowRange> ranges;
};
struct RandomRowFilterSpec {
  float chance = 0;
};
struct TimestampsFilterSpec {
  std::vector<int64_t> timestamps_ms;
  bool can_hint = false;
};
struct SkipFilterSpec {
  std::vector<FilterSpec> filter;
};  // exactly one
struct WhileMatchFilterSpec {
  std::vector<FilterSpec> filter;
};  // exactly one
// SparkSQLPushDownFilter of HBase's Spark connector, the one filter here that is not HBase's own: a row passes if an
// expression over its columns holds.
struct SparkSqlFilterSpec {
  struct Column {
    std::string family, qualifier;  // "" and "key": the row key
    std::string name;               // in the expression
    friend bool operator==(const Column&, const Column&) = default;
  };
  std::string expression;           // region/filter/spark_sql_filter.cc
  std::vector<std::string> values;  // the expression names them by their place
  std::vector<Column> columns;
  std::string encoder_class;  // the encoding of values; a class that is not there stands for the connector's own
};
struct FilterAllSpec {
  bool all = true;
};  // FilterAllFilter

// Its copies, moves and destruction are in filter_spec.cc: each is code for 24 kinds, which the compiler would else
// make for every source that holds a scan.
struct FilterSpec {
  using Kind = std::variant<FilterAllSpec, FilterListSpec, CompareFilterSpec, SingleColumnValueFilterSpec,
                            DependentColumnFilterSpec, ColumnValueFilterSpec, ColumnPrefixFilterSpec,
                            MultipleColumnPrefixFilterSpec, ColumnRangeFilterSpec, ColumnCountGetFilterSpec,
                            ColumnPaginationFilterSpec, PageFilterSpec, PrefixFilterSpec, FirstKeyOnlyFilterSpec,
                            FirstKeyValueMatchingQualifiersFilterSpec, KeyOnlyFilterSpec, InclusiveStopFilterSpec,
                            FuzzyRowFilterSpec, MultiRowRangeFilterSpec, RandomRowFilterSpec, TimestampsFilterSpec,
                            SkipFilterSpec, WhileMatchFilterSpec, SparkSqlFilterSpec>;

  FilterSpec();
  FilterSpec(Kind kind);  // implicit: a filter is any of them
  FilterSpec(const FilterSpec& other);
  FilterSpec(FilterSpec&& other) noexcept;
  FilterSpec& operator=(const FilterSpec& other);
  FilterSpec& operator=(FilterSpec&& other) noexcept;
  ~FilterSpec();

  Kind kind;
};

}  // namespace vaquita

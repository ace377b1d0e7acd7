#include "proto/vaquita/filter_codec.h"

#include <string>
#include <variant>

#include "base/status.h"
#include "proto/vaquita/enum_codec.h"

namespace vaquita {
namespace {

static_assert(static_cast<int>(CompareOp::kLess) + 1 == v1::COMPARE_OP_LESS);
static_assert(static_cast<int>(CompareOp::kNoOp) + 1 == v1::COMPARE_OP_NO_OP);
static_assert(static_cast<int>(ComparatorSpec::Type::kBinary) + 1 == v1::Comparator::TYPE_BINARY);
static_assert(static_cast<int>(ComparatorSpec::Type::kBigDecimal) + 1 == v1::Comparator::TYPE_BIG_DECIMAL);
static_assert(static_cast<int>(ComparatorSpec::BitOp::kXor) + 1 == v1::Comparator::BIT_OP_XOR);
static_assert(static_cast<int>(FilterListSpec::Operator::kMustPassOne) + 1 == v1::FilterList::OPERATOR_MUST_PASS_ONE);

absl::Status OpFromProto(v1::CompareOp wire, CompareOp* op) {
  return EnumFromProto(wire, CompareOp::kNoOp, "filter.op", op);
}

absl::Status Missing(const char* field) {
  return Error(ErrorKind::kIllegalArgument, absl::StrCat(field, ": is missing"));
}

// Writes a filter's kind into a Filter: one overload per struct.
struct Encoder {
  v1::Filter* out;

  void operator()(const FilterAllSpec&) const { out->mutable_filter_all(); }
  void operator()(const FilterListSpec& spec) const {
    v1::FilterList* list = out->mutable_list();
    list->set_op(EnumToProto<v1::FilterList::Operator>(spec.op));
    for (const FilterSpec& filter : spec.filters) ToProto(filter, list->add_filters());
  }
  void operator()(const CompareFilterSpec& spec) const {
    v1::CompareFilter* filter = MutableCompare(spec.what);
    filter->set_op(EnumToProto<v1::CompareOp>(spec.op));
    ToProto(spec.comparator, filter->mutable_comparator());
  }
  void operator()(const SingleColumnValueFilterSpec& spec) const {
    v1::SingleColumnValueFilter* filter =
        spec.exclude_column ? out->mutable_single_column_value_exclude() : out->mutable_single_column_value();
    filter->set_family(spec.family);
    filter->set_qualifier(spec.qualifier);
    filter->set_op(EnumToProto<v1::CompareOp>(spec.op));
    ToProto(spec.comparator, filter->mutable_comparator());
    filter->set_filter_if_missing(spec.filter_if_missing);
    filter->set_latest_version_only(spec.latest_version_only);
  }
  void operator()(const DependentColumnFilterSpec& spec) const {
    v1::DependentColumnFilter* filter = out->mutable_dependent_column();
    filter->set_family(spec.family);
    filter->set_qualifier(spec.qualifier);
    filter->set_drop_dependent_column(spec.drop_dependent_column);
    filter->set_op(EnumToProto<v1::CompareOp>(spec.op));
    if (!spec.comparator.empty()) ToProto(spec.comparator.front(), filter->mutable_comparator());
  }
  void operator()(const ColumnValueFilterSpec& spec) const {
    v1::ColumnValueFilter* filter = out->mutable_column_value();
    filter->set_family(spec.family);
    filter->set_qualifier(spec.qualifier);
    filter->set_op(EnumToProto<v1::CompareOp>(spec.op));
    ToProto(spec.comparator, filter->mutable_comparator());
  }
  void operator()(const ColumnPrefixFilterSpec& spec) const { out->mutable_column_prefix()->set_prefix(spec.prefix); }
  void operator()(const MultipleColumnPrefixFilterSpec& spec) const {
    v1::MultipleColumnPrefixFilter* filter = out->mutable_multiple_column_prefix();
    for (const std::string& prefix : spec.prefixes) filter->add_prefixes(prefix);
  }
  void operator()(const ColumnRangeFilterSpec& spec) const {
    v1::ColumnRangeFilter* filter = out->mutable_column_range();
    if (spec.has_min) filter->set_min(spec.min);
    filter->set_min_inclusive(spec.min_inclusive);
    if (spec.has_max) filter->set_max(spec.max);
    filter->set_max_inclusive(spec.max_inclusive);
  }
  void operator()(const ColumnCountGetFilterSpec& spec) const {
    out->mutable_column_count_get()->set_limit(spec.limit);
  }
  void operator()(const ColumnPaginationFilterSpec& spec) const {
    v1::ColumnPaginationFilter* filter = out->mutable_column_pagination();
    filter->set_limit(spec.limit);
    filter->set_offset(spec.offset);
    if (!spec.column_offset.empty()) filter->set_column_offset(spec.column_offset.front());
  }
  void operator()(const PageFilterSpec& spec) const { out->mutable_page()->set_page_size(spec.page_size); }
  void operator()(const PrefixFilterSpec& spec) const { out->mutable_prefix()->set_prefix(spec.prefix); }
  void operator()(const FirstKeyOnlyFilterSpec&) const { out->mutable_first_key_only(); }
  void operator()(const FirstKeyValueMatchingQualifiersFilterSpec& spec) const {
    auto* filter = out->mutable_first_key_value_matching_qualifiers();
    for (const std::string& qualifier : spec.qualifiers) filter->add_qualifiers(qualifier);
  }
  void operator()(const KeyOnlyFilterSpec& spec) const {
    out->mutable_key_only()->set_length_as_value(spec.length_as_value);
  }
  void operator()(const InclusiveStopFilterSpec& spec) const {
    out->mutable_inclusive_stop()->set_stop_row(spec.stop_row);
  }
  void operator()(const FuzzyRowFilterSpec& spec) const {
    v1::FuzzyRowFilter* filter = out->mutable_fuzzy_row();
    for (const auto& [row, mask] : spec.fuzzy_keys) {
      v1::FuzzyRowFilter::Key* key = filter->add_keys();
      key->set_row(row);
      key->set_mask(mask);
    }
  }
  void operator()(const MultiRowRangeFilterSpec& spec) const {
    v1::MultiRowRangeFilter* filter = out->mutable_multi_row_range();
    for (const RowRange& range : spec.ranges) ToProto(range, filter->add_ranges());
  }
  void operator()(const RandomRowFilterSpec& spec) const { out->mutable_random_row()->set_chance(spec.chance); }
  void operator()(const SparkSqlFilterSpec& spec) const {
    v1::SparkSqlFilter* filter = out->mutable_spark_sql();
    filter->set_expression(spec.expression);
    for (const std::string& value : spec.values) filter->add_values(value);
    for (const auto& [family, qualifier, name] : spec.columns) {
      v1::SparkSqlFilter::Column* column = filter->add_columns();
      column->set_family(family);
      column->set_qualifier(qualifier);
      column->set_name(name);
    }
    filter->set_encoder_class(spec.encoder_class);
  }
  void operator()(const TimestampsFilterSpec& spec) const {
    v1::TimestampsFilter* filter = out->mutable_timestamps();
    filter->mutable_timestamps_ms()->Add(spec.timestamps_ms.begin(), spec.timestamps_ms.end());
    filter->set_can_hint(spec.can_hint);
  }
  void operator()(const SkipFilterSpec& spec) const { EncodeWrapped(spec.filter, out->mutable_skip()); }
  void operator()(const WhileMatchFilterSpec& spec) const { EncodeWrapped(spec.filter, out->mutable_while_match()); }

 private:
  v1::CompareFilter* MutableCompare(CompareFilterSpec::What what) const {
    switch (what) {
      case CompareFilterSpec::What::kRow:
        return out->mutable_row();
      case CompareFilterSpec::What::kFamily:
        return out->mutable_family();
      case CompareFilterSpec::What::kQualifier:
        return out->mutable_qualifier();
      case CompareFilterSpec::What::kValue:
        return out->mutable_value();
    }
    __builtin_unreachable();
  }
  static void EncodeWrapped(const std::vector<FilterSpec>& filter, v1::Filter* to) {
    if (!filter.empty()) ToProto(filter.front(), to);
  }
};

// Reads each kind of filter: one overload per message.
class Decoder {
 public:
  explicit Decoder(int depth) : depth_(depth) {}

  absl::Status Decode(const v1::Filter& filter, FilterSpec* out) const;

 private:
  absl::Status From(const v1::FilterList& filter, FilterListSpec* out) const {
    VAQUITA_RETURN_IF_ERROR(
        EnumFromProto(filter.op(), FilterListSpec::Operator::kMustPassOne, "filter.list.op", &out->op));
    out->filters.resize(filter.filters_size());
    for (int i = 0; i < filter.filters_size(); ++i) {
      VAQUITA_RETURN_IF_ERROR(Decoder(depth_ + 1).Decode(filter.filters(i), &out->filters[i]));
    }
    return absl::OkStatus();
  }
  static absl::Status From(const v1::CompareFilter& filter, CompareFilterSpec::What what, CompareFilterSpec* out) {
    out->what = what;
    return Comparison(filter, &out->op, &out->comparator);
  }
  static absl::Status From(const v1::SingleColumnValueFilter& filter, bool exclude, SingleColumnValueFilterSpec* out) {
    out->family = filter.family();
    out->qualifier = filter.qualifier();
    out->filter_if_missing = filter.filter_if_missing();
    if (filter.has_latest_version_only()) out->latest_version_only = filter.latest_version_only();
    out->exclude_column = exclude;
    return Comparison(filter, &out->op, &out->comparator);
  }
  static absl::Status From(const v1::DependentColumnFilter& filter, DependentColumnFilterSpec* out) {
    out->family = filter.family();
    out->qualifier = filter.qualifier();
    out->drop_dependent_column = filter.drop_dependent_column();
    if (!filter.has_comparator()) return OpFromProto(filter.op(), &out->op);
    return Comparison(filter, &out->op, &out->comparator.emplace_back());
  }
  static absl::Status From(const v1::ColumnValueFilter& filter, ColumnValueFilterSpec* out) {
    out->family = filter.family();
    out->qualifier = filter.qualifier();
    return Comparison(filter, &out->op, &out->comparator);
  }
  static ColumnRangeFilterSpec From(const v1::ColumnRangeFilter& filter) {
    ColumnRangeFilterSpec out{
        .has_min = filter.has_min(), .has_max = filter.has_max(), .min = filter.min(), .max = filter.max()};
    if (filter.has_min_inclusive()) out.min_inclusive = filter.min_inclusive();
    if (filter.has_max_inclusive()) out.max_inclusive = filter.max_inclusive();
    return out;
  }
  static ColumnPaginationFilterSpec From(const v1::ColumnPaginationFilter& filter) {
    ColumnPaginationFilterSpec out{.limit = filter.limit()};
    if (filter.has_offset()) out.offset = filter.offset();
    if (filter.has_column_offset()) out.column_offset.push_back(filter.column_offset());
    return out;
  }
  static FuzzyRowFilterSpec From(const v1::FuzzyRowFilter& filter) {
    FuzzyRowFilterSpec out;
    for (const v1::FuzzyRowFilter::Key& key : filter.keys()) out.fuzzy_keys.emplace_back(key.row(), key.mask());
    return out;
  }
  static SparkSqlFilterSpec From(const v1::SparkSqlFilter& filter) {
    SparkSqlFilterSpec spec{.expression = filter.expression(),
                            .values = {filter.values().begin(), filter.values().end()},
                            .columns = {},
                            .encoder_class = filter.encoder_class()};
    for (const auto& column : filter.columns()) {
      spec.columns.push_back({column.family(), column.qualifier(), column.name()});
    }
    return spec;
  }
  static MultiRowRangeFilterSpec From(const v1::MultiRowRangeFilter& filter) {
    MultiRowRangeFilterSpec out;
    for (const v1::RowRange& range : filter.ranges()) out.ranges.push_back(vaquita::FromProto(range));
    return out;
  }
  absl::Status Wrapped(const v1::Filter& filter, std::vector<FilterSpec>* out) const {
    return Decoder(depth_ + 1).Decode(filter, &out->emplace_back());
  }
  template <typename Message>
  static absl::Status Comparison(const Message& filter, CompareOp* op, ComparatorSpec* comparator) {
    if (!filter.has_comparator()) return Missing("filter.comparator");
    VAQUITA_RETURN_IF_ERROR(OpFromProto(filter.op(), op));
    return FromProto(filter.comparator(), comparator);
  }

  const int depth_;
};

std::vector<std::string> Strings(const google::protobuf::RepeatedPtrField<std::string>& field) {
  return {field.begin(), field.end()};
}

absl::Status Decoder::Decode(const v1::Filter& filter, FilterSpec* out) const {
  using What = CompareFilterSpec::What;
  auto& kind = out->kind;
  if (depth_ > kMaxFilterDepth) {
    return Error(ErrorKind::kIllegalArgument, absl::StrCat("filter: nested deeper than ", kMaxFilterDepth));
  }
  switch (filter.kind_case()) {
    case v1::Filter::kList:
      return From(filter.list(), &kind.emplace<FilterListSpec>());
    case v1::Filter::kRow:
      return From(filter.row(), What::kRow, &kind.emplace<CompareFilterSpec>());
    case v1::Filter::kFamily:
      return From(filter.family(), What::kFamily, &kind.emplace<CompareFilterSpec>());
    case v1::Filter::kQualifier:
      return From(filter.qualifier(), What::kQualifier, &kind.emplace<CompareFilterSpec>());
    case v1::Filter::kValue:
      return From(filter.value(), What::kValue, &kind.emplace<CompareFilterSpec>());
    case v1::Filter::kSingleColumnValue:
      return From(filter.single_column_value(), false, &kind.emplace<SingleColumnValueFilterSpec>());
    case v1::Filter::kSingleColumnValueExclude:
      return From(filter.single_column_value_exclude(), true, &kind.emplace<SingleColumnValueFilterSpec>());
    case v1::Filter::kDependentColumn:
      return From(filter.dependent_column(), &kind.emplace<DependentColumnFilterSpec>());
    case v1::Filter::kColumnValue:
      return From(filter.column_value(), &kind.emplace<ColumnValueFilterSpec>());
    case v1::Filter::kSkip:
      return Wrapped(filter.skip(), &kind.emplace<SkipFilterSpec>().filter);
    case v1::Filter::kWhileMatch:
      return Wrapped(filter.while_match(), &kind.emplace<WhileMatchFilterSpec>().filter);
    case v1::Filter::kColumnPrefix:
      kind = ColumnPrefixFilterSpec{filter.column_prefix().prefix()};
      break;
    case v1::Filter::kMultipleColumnPrefix:
      kind = MultipleColumnPrefixFilterSpec{Strings(filter.multiple_column_prefix().prefixes())};
      break;
    case v1::Filter::kColumnRange:
      kind = From(filter.column_range());
      break;
    case v1::Filter::kColumnCountGet:
      kind = ColumnCountGetFilterSpec{filter.column_count_get().limit()};
      break;
    case v1::Filter::kColumnPagination:
      kind = From(filter.column_pagination());
      break;
    case v1::Filter::kPage:
      kind = PageFilterSpec{filter.page().page_size()};
      break;
    case v1::Filter::kPrefix:
      kind = PrefixFilterSpec{filter.prefix().prefix()};
      break;
    case v1::Filter::kFirstKeyOnly:
      kind = FirstKeyOnlyFilterSpec{};
      break;
    case v1::Filter::kFirstKeyValueMatchingQualifiers:
      kind =
          FirstKeyValueMatchingQualifiersFilterSpec{Strings(filter.first_key_value_matching_qualifiers().qualifiers())};
      break;
    case v1::Filter::kKeyOnly:
      kind = KeyOnlyFilterSpec{filter.key_only().length_as_value()};
      break;
    case v1::Filter::kInclusiveStop:
      kind = InclusiveStopFilterSpec{filter.inclusive_stop().stop_row()};
      break;
    case v1::Filter::kFuzzyRow:
      kind = From(filter.fuzzy_row());
      break;
    case v1::Filter::kMultiRowRange:
      kind = From(filter.multi_row_range());
      break;
    case v1::Filter::kRandomRow:
      kind = RandomRowFilterSpec{filter.random_row().chance()};
      break;
    case v1::Filter::kTimestamps:
      kind =
          TimestampsFilterSpec{{filter.timestamps().timestamps_ms().begin(), filter.timestamps().timestamps_ms().end()},
                               filter.timestamps().can_hint()};
      break;
    case v1::Filter::kSparkSql:
      kind = From(filter.spark_sql());
      break;
    case v1::Filter::kFilterAll:
      kind = FilterAllSpec{};
      break;
    case v1::Filter::KIND_NOT_SET:
      return Missing("filter.kind");
  }
  return absl::OkStatus();
}

}  // namespace

void ToProto(const RowRange& range, v1::RowRange* out) {
  out->set_start(range.start);
  out->set_stop(range.stop);
  if (!range.start_inclusive) out->set_start_inclusive(false);
  if (range.stop_inclusive) out->set_stop_inclusive(true);
}

RowRange FromProto(const v1::RowRange& range) {
  RowRange out{.start = range.start(), .stop = range.stop()};
  if (range.has_start_inclusive()) out.start_inclusive = range.start_inclusive();
  if (range.has_stop_inclusive()) out.stop_inclusive = range.stop_inclusive();
  return out;
}

void ToProto(const ComparatorSpec& comparator, v1::Comparator* out) {
  out->set_type(EnumToProto<v1::Comparator::Type>(comparator.type));
  out->set_bytes(comparator.bytes);
  out->set_offset(comparator.offset);
  out->set_bit_op(EnumToProto<v1::Comparator::BitOp>(comparator.bit_op));
  out->set_charset(comparator.charset);
  out->set_regex_flags(comparator.regex_flags);
}

absl::Status FromProto(const v1::Comparator& comparator, ComparatorSpec* out) {
  VAQUITA_RETURN_IF_ERROR(
      EnumFromProto(comparator.type(), ComparatorSpec::Type::kBigDecimal, "comparator.type", &out->type));
  VAQUITA_RETURN_IF_ERROR(
      EnumFromProto(comparator.bit_op(), ComparatorSpec::BitOp::kXor, "comparator.bit_op", &out->bit_op));
  out->bytes = comparator.bytes();
  out->offset = comparator.offset();
  if (comparator.has_charset()) out->charset = comparator.charset();
  out->regex_flags = comparator.regex_flags();
  return absl::OkStatus();
}

void ToProto(const FilterSpec& filter, v1::Filter* out) { std::visit(Encoder{out}, filter.kind); }

absl::Status FromProto(const v1::Filter& filter, FilterSpec* out) { return Decoder(0).Decode(filter, out); }

}  // namespace vaquita

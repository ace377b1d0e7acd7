#include "proto/hbase/filter_codec.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"

namespace vaquita {
namespace {

constexpr std::string_view kPackage = "org.apache.hadoop.hbase.filter.";
constexpr std::string_view kSparkSqlFilter = "org.apache.hadoop.hbase.spark.SparkSQLPushDownFilter";

static_assert(static_cast<int>(CompareOp::kLess) == pb::LESS);
static_assert(static_cast<int>(CompareOp::kLessOrEqual) == pb::LESS_OR_EQUAL);
static_assert(static_cast<int>(CompareOp::kEqual) == pb::EQUAL);
static_assert(static_cast<int>(CompareOp::kNotEqual) == pb::NOT_EQUAL);
static_assert(static_cast<int>(CompareOp::kGreaterOrEqual) == pb::GREATER_OR_EQUAL);
static_assert(static_cast<int>(CompareOp::kGreater) == pb::GREATER);
static_assert(static_cast<int>(CompareOp::kNoOp) == pb::NO_OP);

pb::CompareType ToWire(CompareOp op) { return static_cast<pb::CompareType>(op); }
CompareOp FromWire(pb::CompareType op) { return static_cast<CompareOp>(op); }

absl::Status UnknownClass(std::string_view name) {
  return Error(ErrorKind::kDoNotRetryIO, absl::StrCat("java.lang.ClassNotFoundException: ", AbslText(name)));
}

absl::Status Garbled(std::string_view what) {
  return Error(ErrorKind::kDoNotRetryIO,
               absl::StrCat("org.apache.hadoop.hbase.exceptions.DeserializationException: ", AbslText(what)));
}

template <typename Message>
absl::Status Parse(std::string_view bytes, Message* message) {
  VAQUITA_RETURN_IF_ERROR(CheckInnerParts(bytes, *message));
  if (ParseMessage(bytes, message)) return absl::OkStatus();
  return Garbled(absl::StrCat("the bytes of a ", Message::descriptor()->name(), " cannot be read"));
}

// Finds the class's name without HBase's package. Returns false for any other package.
bool ShortName(std::string_view class_name, std::string_view* name) {
  if (!class_name.starts_with(kPackage)) return false;
  *name = class_name.substr(kPackage.size());
  return true;
}

template <typename Message>
std::string ClassName(const Message& message) {
  return absl::StrCat(AbslText(kPackage), message.GetDescriptor()->name());
}

// --- Comparators.

using ComparatorType = ComparatorSpec::Type;

template <typename Message>
void Encode(const Message& message, pb::Comparator* out) {
  out->set_name(ClassName(message));
  message.SerializeToString(out->mutable_serialized_comparator());
}

template <typename Message>
void EncodeBytes(const ComparatorSpec& comparator, pb::Comparator* out) {
  Message message;
  message.mutable_comparable()->set_value(comparator.bytes);
  Encode(message, out);
}

template <typename Message, ComparatorType type>
absl::Status DecodeBytes(std::string_view bytes, ComparatorSpec* out) {
  Message message;
  VAQUITA_RETURN_IF_ERROR(Parse(bytes, &message));
  out->type = type;
  out->bytes = std::move(*message.mutable_comparable()->mutable_value());
  return absl::OkStatus();
}

absl::Status DecodeBit(std::string_view bytes, ComparatorSpec* out) {
  pb::BitComparator message;
  VAQUITA_RETURN_IF_ERROR(Parse(bytes, &message));
  out->type = ComparatorType::kBit;
  out->bytes = message.comparable().value();
  out->bit_op = static_cast<ComparatorSpec::BitOp>(message.bitwise_op() - pb::BitComparator::AND);
  return absl::OkStatus();
}

absl::Status DecodeComponent(std::string_view bytes, ComparatorSpec* out) {
  pb::BinaryComponentComparator message;
  VAQUITA_RETURN_IF_ERROR(Parse(bytes, &message));
  out->type = ComparatorType::kBinaryComponent;
  out->bytes = message.value();
  out->offset = static_cast<int32_t>(message.offset());
  return absl::OkStatus();
}

absl::Status DecodeNull(std::string_view bytes, ComparatorSpec* out) {
  pb::NullComparator message;
  VAQUITA_RETURN_IF_ERROR(Parse(bytes, &message));
  out->type = ComparatorType::kNull;
  return absl::OkStatus();
}

// The engine is ignored: both of HBase's engines are meant to match alike.
absl::Status DecodeRegex(std::string_view bytes, ComparatorSpec* out) {
  pb::RegexStringComparator message;
  VAQUITA_RETURN_IF_ERROR(Parse(bytes, &message));
  out->type = ComparatorType::kRegex;
  out->bytes = message.pattern();
  out->regex_flags = message.pattern_flags();
  if (!message.charset().empty()) out->charset = message.charset();
  return absl::OkStatus();
}

absl::Status DecodeSubstring(std::string_view bytes, ComparatorSpec* out) {
  pb::SubstringComparator message;
  VAQUITA_RETURN_IF_ERROR(Parse(bytes, &message));
  out->type = ComparatorType::kSubstring;
  out->bytes = message.substr();
  return absl::OkStatus();
}

struct ComparatorClass {
  std::string_view name;
  absl::Status (*decode)(std::string_view bytes, ComparatorSpec* out);
};

constexpr ComparatorClass kComparators[] = {
    {"BinaryComparator", DecodeBytes<pb::BinaryComparator, ComparatorType::kBinary>},
    {"BinaryPrefixComparator", DecodeBytes<pb::BinaryPrefixComparator, ComparatorType::kBinaryPrefix>},
    {"BinaryComponentComparator", DecodeComponent},
    {"LongComparator", DecodeBytes<pb::LongComparator, ComparatorType::kLong>},
    {"BigDecimalComparator", DecodeBytes<pb::BigDecimalComparator, ComparatorType::kBigDecimal>},
    {"BitComparator", DecodeBit},
    {"NullComparator", DecodeNull},
    {"RegexStringComparator", DecodeRegex},
    {"SubstringComparator", DecodeSubstring},
};

// --- Filters, to the wire: one overload per struct.

struct Encoder {
  pb::Filter* out;

  template <typename Message>
  void Put(const Message& message) const {
    out->set_name(ClassName(message));
    message.SerializeToString(out->mutable_serialized_filter());
  }

  void operator()(const FilterAllSpec&) const { Put(pb::FilterAllFilter()); }
  void operator()(const SparkSqlFilterSpec& spec) const {
    pb::SparkSQLPushDownFilter message;
    message.set_dynamic_logic_expression(spec.expression);
    for (const std::string& value : spec.values) message.add_value_from_query_array(value);
    for (const auto& [family, qualifier, name] : spec.columns) {
      auto* column = message.add_cell_to_column_mapping();
      column->set_column_family(family);
      column->set_qualifier(qualifier);
      column->set_column_name(name);
    }
    message.set_encoderclassname(spec.encoder_class);
    Put(message);
    out->set_name(std::string(kSparkSqlFilter));
  }
  void operator()(const FilterListSpec& spec) const {
    pb::FilterList message;
    message.set_operator_(spec.op == FilterListSpec::Operator::kMustPassAll ? pb::FilterList::MUST_PASS_ALL
                                                                            : pb::FilterList::MUST_PASS_ONE);
    for (const FilterSpec& filter : spec.filters) EncodeFilter(filter, message.add_filters());
    Put(message);
  }
  void operator()(const CompareFilterSpec& spec) const {
    switch (spec.what) {
      case CompareFilterSpec::What::kRow:
        return PutCompare<pb::RowFilter>(spec);
      case CompareFilterSpec::What::kFamily:
        return PutCompare<pb::FamilyFilter>(spec);
      case CompareFilterSpec::What::kQualifier:
        return PutCompare<pb::QualifierFilter>(spec);
      case CompareFilterSpec::What::kValue:
        return PutCompare<pb::ValueFilter>(spec);
    }
  }
  void operator()(const SingleColumnValueFilterSpec& spec) const {
    pb::SingleColumnValueExcludeFilter exclude;
    pb::SingleColumnValueFilter* message = exclude.mutable_single_column_value_filter();
    message->set_column_family(spec.family);
    message->set_column_qualifier(spec.qualifier);
    message->set_compare_op(ToWire(spec.op));
    EncodeComparator(spec.comparator, message->mutable_comparator());
    message->set_filter_if_missing(spec.filter_if_missing);
    message->set_latest_version_only(spec.latest_version_only);
    if (spec.exclude_column) return Put(exclude);
    Put(*message);
  }
  void operator()(const DependentColumnFilterSpec& spec) const {
    pb::DependentColumnFilter message;
    message.mutable_compare_filter()->set_compare_op(ToWire(spec.op));
    if (!spec.comparator.empty()) {
      EncodeComparator(spec.comparator.front(), message.mutable_compare_filter()->mutable_comparator());
    }
    message.set_column_family(spec.family);
    message.set_column_qualifier(spec.qualifier);
    message.set_drop_dependent_column(spec.drop_dependent_column);
    Put(message);
  }
  void operator()(const ColumnValueFilterSpec& spec) const {
    pb::ColumnValueFilter message;
    message.set_family(spec.family);
    message.set_qualifier(spec.qualifier);
    message.set_compare_op(ToWire(spec.op));
    EncodeComparator(spec.comparator, message.mutable_comparator());
    Put(message);
  }
  void operator()(const ColumnPrefixFilterSpec& spec) const {
    pb::ColumnPrefixFilter message;
    message.set_prefix(spec.prefix);
    Put(message);
  }
  void operator()(const MultipleColumnPrefixFilterSpec& spec) const {
    pb::MultipleColumnPrefixFilter message;
    for (const std::string& prefix : spec.prefixes) message.add_sorted_prefixes(prefix);
    Put(message);
  }
  void operator()(const ColumnRangeFilterSpec& spec) const {
    pb::ColumnRangeFilter message;
    if (spec.has_min) message.set_min_column(spec.min);
    message.set_min_column_inclusive(spec.min_inclusive);
    if (spec.has_max) message.set_max_column(spec.max);
    message.set_max_column_inclusive(spec.max_inclusive);
    Put(message);
  }
  void operator()(const ColumnCountGetFilterSpec& spec) const {
    pb::ColumnCountGetFilter message;
    message.set_limit(spec.limit);
    Put(message);
  }
  void operator()(const ColumnPaginationFilterSpec& spec) const {
    pb::ColumnPaginationFilter message;
    message.set_limit(spec.limit);
    if (spec.offset >= 0) message.set_offset(spec.offset);
    if (!spec.column_offset.empty()) message.set_column_offset(spec.column_offset.front());
    Put(message);
  }
  void operator()(const PageFilterSpec& spec) const {
    pb::PageFilter message;
    message.set_page_size(spec.page_size);
    Put(message);
  }
  void operator()(const PrefixFilterSpec& spec) const {
    pb::PrefixFilter message;
    message.set_prefix(spec.prefix);
    Put(message);
  }
  void operator()(const FirstKeyOnlyFilterSpec&) const { Put(pb::FirstKeyOnlyFilter()); }
  void operator()(const FirstKeyValueMatchingQualifiersFilterSpec& spec) const {
    pb::FirstKeyValueMatchingQualifiersFilter message;
    for (const std::string& qualifier : spec.qualifiers) message.add_qualifiers(qualifier);
    Put(message);
  }
  void operator()(const KeyOnlyFilterSpec& spec) const {
    pb::KeyOnlyFilter message;
    message.set_len_as_val(spec.length_as_value);
    Put(message);
  }
  void operator()(const InclusiveStopFilterSpec& spec) const {
    pb::InclusiveStopFilter message;
    message.set_stop_row_key(spec.stop_row);
    Put(message);
  }
  void operator()(const FuzzyRowFilterSpec& spec) const;
  void operator()(const MultiRowRangeFilterSpec& spec) const {
    pb::MultiRowRangeFilter message;
    for (const RowRange& range : spec.ranges) {
      pb::RowRange* wire = message.add_row_range_list();
      wire->set_start_row(range.start);
      wire->set_start_row_inclusive(range.start_inclusive);
      wire->set_stop_row(range.stop);
      wire->set_stop_row_inclusive(range.stop_inclusive);
    }
    Put(message);
  }
  void operator()(const RandomRowFilterSpec& spec) const {
    pb::RandomRowFilter message;
    message.set_chance(spec.chance);
    Put(message);
  }
  void operator()(const TimestampsFilterSpec& spec) const {
    pb::TimestampsFilter message;
    for (const int64_t timestamp_ms : spec.timestamps_ms) message.add_timestamps(timestamp_ms);
    message.set_can_hint(spec.can_hint);
    Put(message);
  }
  void operator()(const SkipFilterSpec& spec) const { PutWrapped<pb::SkipFilter>(spec.filter); }
  void operator()(const WhileMatchFilterSpec& spec) const { PutWrapped<pb::WhileMatchFilter>(spec.filter); }

 private:
  template <typename Message>
  void PutCompare(const CompareFilterSpec& spec) const {
    Message message;
    message.mutable_compare_filter()->set_compare_op(ToWire(spec.op));
    EncodeComparator(spec.comparator, message.mutable_compare_filter()->mutable_comparator());
    Put(message);
  }
  template <typename Message>
  void PutWrapped(const std::vector<FilterSpec>& filter) const {
    Message message;
    if (!filter.empty()) EncodeFilter(filter.front(), message.mutable_filter());
    Put(message);
  }
};

// A fuzzy row's mask on the wire: fixed positions and, of version 2 or of version 1, free ones.
constexpr char kWireFixed = '\xFF';
constexpr char kWireFree = 2;
constexpr char kWireFreeV1 = 0;

void Encoder::operator()(const FuzzyRowFilterSpec& spec) const {
  pb::FuzzyRowFilter message;
  for (const auto& [row, mask] : spec.fuzzy_keys) {
    pb::BytesBytesPair* pair = message.add_fuzzy_keys_data();
    std::string* wire_row = pair->mutable_first();
    std::string* wire_mask = pair->mutable_second();
    *wire_row = row;
    for (size_t i = 0; i < mask.size(); ++i) {
      wire_mask->push_back(mask[i] == 0 ? kWireFixed : kWireFree);
      if (mask[i] != 0 && i < wire_row->size()) (*wire_row)[i] = 0;
    }
  }
  message.set_is_mask_v2(true);
  Put(message);
}

// Clients of other languages send the mask as programs write it, with 0 and 1. A mask with a byte that the wire form
// does not have is such a one.
std::string DecodeMask(std::string_view wire, char wire_free) {
  const bool prepared =
      std::all_of(wire.begin(), wire.end(), [&](char c) { return c == kWireFixed || c == wire_free; });
  std::string mask(wire);
  for (char& c : mask) c = c == kWireFixed || (!prepared && c == 0) ? 0 : 1;
  return mask;
}

// --- Filters, from the wire: one function per class. Filters inside take their bytes out of the message that holds
// them.

absl::Status DecodeNested(pb::Filter* filter, int depth, FilterSpec* out);

// Takes the bytes of inner filters out of a message, so that only one level of bytes is kept at a time.
template <typename Message>
absl::Status ParseAndFree(std::string* bytes, Message* message) {
  const absl::Status status = Parse(*bytes, message);
  std::string().swap(*bytes);
  return status;
}

absl::Status DecodeComparison(const pb::CompareFilter& filter, CompareOp* op, ComparatorSpec* comparator) {
  *op = FromWire(filter.compare_op());
  if (filter.has_comparator()) return DecodeComparator(filter.comparator(), comparator);
  if (*op == CompareOp::kNoOp) return absl::OkStatus();
  return Garbled("a CompareFilter has no comparator");
}

template <typename Message, CompareFilterSpec::What what>
absl::Status DecodeCompare(std::string&& bytes, int, FilterSpec* out) {
  Message message;
  VAQUITA_RETURN_IF_ERROR(Parse(bytes, &message));
  auto& spec = out->kind.emplace<CompareFilterSpec>();
  spec.what = what;
  return DecodeComparison(message.compare_filter(), &spec.op, &spec.comparator);
}

template <typename Message, typename Spec>
absl::Status DecodeEmpty(std::string&& bytes, int, FilterSpec* out) {
  Message message;
  VAQUITA_RETURN_IF_ERROR(Parse(bytes, &message));
  out->kind.emplace<Spec>();
  return absl::OkStatus();
}

template <typename Message, typename Spec>
absl::Status DecodeWrapped(std::string&& bytes, int depth, FilterSpec* out) {
  Message message;
  VAQUITA_RETURN_IF_ERROR(ParseAndFree(&bytes, &message));
  return DecodeNested(message.mutable_filter(), depth + 1, &out->kind.emplace<Spec>().filter.emplace_back());
}

absl::Status DecodeList(std::string&& bytes, int depth, FilterSpec* out) {
  pb::FilterList message;
  VAQUITA_RETURN_IF_ERROR(ParseAndFree(&bytes, &message));
  auto& spec = out->kind.emplace<FilterListSpec>();
  spec.op = message.operator_() == pb::FilterList::MUST_PASS_ALL ? FilterListSpec::Operator::kMustPassAll
                                                                 : FilterListSpec::Operator::kMustPassOne;
  spec.filters.resize(message.filters_size());
  for (int i = 0; i < message.filters_size(); ++i) {
    VAQUITA_RETURN_IF_ERROR(DecodeNested(message.mutable_filters(i), depth + 1, &spec.filters[i]));
  }
  return absl::OkStatus();
}

absl::Status FillSingleColumnValue(const pb::SingleColumnValueFilter& message, bool exclude, FilterSpec* out) {
  auto& spec = out->kind.emplace<SingleColumnValueFilterSpec>();
  spec.family = message.column_family();
  spec.qualifier = message.column_qualifier();
  spec.op = FromWire(message.compare_op());
  spec.filter_if_missing = message.filter_if_missing();
  spec.latest_version_only = message.latest_version_only();
  spec.exclude_column = exclude;
  return DecodeComparator(message.comparator(), &spec.comparator);
}

absl::Status DecodeSingleColumnValue(std::string&& bytes, int, FilterSpec* out) {
  pb::SingleColumnValueFilter message;
  VAQUITA_RETURN_IF_ERROR(Parse(bytes, &message));
  return FillSingleColumnValue(message, false, out);
}

absl::Status DecodeSingleColumnValueExclude(std::string&& bytes, int, FilterSpec* out) {
  pb::SingleColumnValueExcludeFilter message;
  VAQUITA_RETURN_IF_ERROR(Parse(bytes, &message));
  return FillSingleColumnValue(message.single_column_value_filter(), true, out);
}

absl::Status DecodeDependentColumn(std::string&& bytes, int, FilterSpec* out) {
  pb::DependentColumnFilter message;
  VAQUITA_RETURN_IF_ERROR(Parse(bytes, &message));
  auto& spec = out->kind.emplace<DependentColumnFilterSpec>();
  spec.family = message.column_family();
  spec.qualifier = message.column_qualifier();
  spec.drop_dependent_column = message.drop_dependent_column();
  spec.op = FromWire(message.compare_filter().compare_op());
  if (!message.compare_filter().has_comparator()) return absl::OkStatus();
  return DecodeComparator(message.compare_filter().comparator(), &spec.comparator.emplace_back());
}

absl::Status DecodeColumnValue(std::string&& bytes, int, FilterSpec* out) {
  pb::ColumnValueFilter message;
  VAQUITA_RETURN_IF_ERROR(Parse(bytes, &message));
  auto& spec = out->kind.emplace<ColumnValueFilterSpec>();
  spec.family = message.family();
  spec.qualifier = message.qualifier();
  spec.op = FromWire(message.compare_op());
  return DecodeComparator(message.comparator(), &spec.comparator);
}

absl::Status DecodeColumnPrefix(std::string&& bytes, int, FilterSpec* out) {
  pb::ColumnPrefixFilter message;
  VAQUITA_RETURN_IF_ERROR(Parse(bytes, &message));
  out->kind = ColumnPrefixFilterSpec{message.prefix()};
  return absl::OkStatus();
}

absl::Status DecodeMultipleColumnPrefix(std::string&& bytes, int, FilterSpec* out) {
  pb::MultipleColumnPrefixFilter message;
  VAQUITA_RETURN_IF_ERROR(Parse(bytes, &message));
  out->kind = MultipleColumnPrefixFilterSpec{{message.sorted_prefixes().begin(), message.sorted_prefixes().end()}};
  return absl::OkStatus();
}

absl::Status DecodeColumnRange(std::string&& bytes, int, FilterSpec* out) {
  pb::ColumnRangeFilter message;
  VAQUITA_RETURN_IF_ERROR(Parse(bytes, &message));
  out->kind = ColumnRangeFilterSpec{.has_min = message.has_min_column(),
                                    .min_inclusive = message.min_column_inclusive(),
                                    .has_max = message.has_max_column(),
                                    .max_inclusive = message.max_column_inclusive(),
                                    .min = message.min_column(),
                                    .max = message.max_column()};
  return absl::OkStatus();
}

absl::Status DecodeColumnCountGet(std::string&& bytes, int, FilterSpec* out) {
  pb::ColumnCountGetFilter message;
  VAQUITA_RETURN_IF_ERROR(Parse(bytes, &message));
  out->kind = ColumnCountGetFilterSpec{message.limit()};
  return absl::OkStatus();
}

absl::Status DecodeColumnPagination(std::string&& bytes, int, FilterSpec* out) {
  pb::ColumnPaginationFilter message;
  VAQUITA_RETURN_IF_ERROR(Parse(bytes, &message));
  ColumnPaginationFilterSpec spec{.limit = message.limit()};
  if (message.has_column_offset()) {
    spec.column_offset.push_back(message.column_offset());
  } else {
    spec.offset = message.offset();
  }
  out->kind = std::move(spec);
  return absl::OkStatus();
}

absl::Status DecodePage(std::string&& bytes, int, FilterSpec* out) {
  pb::PageFilter message;
  VAQUITA_RETURN_IF_ERROR(Parse(bytes, &message));
  out->kind = PageFilterSpec{message.page_size()};
  return absl::OkStatus();
}

absl::Status DecodePrefix(std::string&& bytes, int, FilterSpec* out) {
  pb::PrefixFilter message;
  VAQUITA_RETURN_IF_ERROR(Parse(bytes, &message));
  out->kind = PrefixFilterSpec{message.prefix()};
  return absl::OkStatus();
}

absl::Status DecodeFirstKeyValueMatchingQualifiers(std::string&& bytes, int, FilterSpec* out) {
  pb::FirstKeyValueMatchingQualifiersFilter message;
  VAQUITA_RETURN_IF_ERROR(Parse(bytes, &message));
  out->kind = FirstKeyValueMatchingQualifiersFilterSpec{{message.qualifiers().begin(), message.qualifiers().end()}};
  return absl::OkStatus();
}

absl::Status DecodeKeyOnly(std::string&& bytes, int, FilterSpec* out) {
  pb::KeyOnlyFilter message;
  VAQUITA_RETURN_IF_ERROR(Parse(bytes, &message));
  out->kind = KeyOnlyFilterSpec{message.len_as_val()};
  return absl::OkStatus();
}

absl::Status DecodeInclusiveStop(std::string&& bytes, int, FilterSpec* out) {
  pb::InclusiveStopFilter message;
  VAQUITA_RETURN_IF_ERROR(Parse(bytes, &message));
  out->kind = InclusiveStopFilterSpec{message.stop_row_key()};
  return absl::OkStatus();
}

absl::Status DecodeFuzzyRow(std::string&& bytes, int, FilterSpec* out) {
  pb::FuzzyRowFilter message;
  VAQUITA_RETURN_IF_ERROR(Parse(bytes, &message));
  const char free = message.is_mask_v2() ? kWireFree : kWireFreeV1;
  auto& spec = out->kind.emplace<FuzzyRowFilterSpec>();
  for (const pb::BytesBytesPair& pair : message.fuzzy_keys_data()) {
    spec.fuzzy_keys.emplace_back(pair.first(), DecodeMask(pair.second(), free));
  }
  return absl::OkStatus();
}

absl::Status DecodeMultiRowRange(std::string&& bytes, int, FilterSpec* out) {
  pb::MultiRowRangeFilter message;
  VAQUITA_RETURN_IF_ERROR(Parse(bytes, &message));
  auto& spec = out->kind.emplace<MultiRowRangeFilterSpec>();
  for (const pb::RowRange& range : message.row_range_list()) {
    spec.ranges.push_back({.start = range.start_row(),
                           .stop = range.stop_row(),
                           .start_inclusive = range.start_row_inclusive(),
                           .stop_inclusive = range.stop_row_inclusive()});
  }
  return absl::OkStatus();
}

absl::Status DecodeRandomRow(std::string&& bytes, int, FilterSpec* out) {
  pb::RandomRowFilter message;
  VAQUITA_RETURN_IF_ERROR(Parse(bytes, &message));
  out->kind = RandomRowFilterSpec{message.chance()};
  return absl::OkStatus();
}

absl::Status DecodeTimestamps(std::string&& bytes, int, FilterSpec* out) {
  pb::TimestampsFilter message;
  VAQUITA_RETURN_IF_ERROR(Parse(bytes, &message));
  out->kind = TimestampsFilterSpec{{message.timestamps().begin(), message.timestamps().end()}, message.can_hint()};
  return absl::OkStatus();
}

absl::Status DecodeSparkSql(std::string&& bytes, int, FilterSpec* out) {
  pb::SparkSQLPushDownFilter message;
  VAQUITA_RETURN_IF_ERROR(Parse(bytes, &message));
  SparkSqlFilterSpec spec{.expression = message.dynamic_logic_expression(),
                          .values = {message.value_from_query_array().begin(), message.value_from_query_array().end()},
                          .columns = {},
                          .encoder_class = message.encoderclassname()};
  for (const auto& column : message.cell_to_column_mapping()) {
    spec.columns.push_back({column.column_family(), column.qualifier(), column.column_name()});
  }
  out->kind = std::move(spec);
  return absl::OkStatus();
}

struct FilterClass {
  std::string_view name;
  absl::Status (*decode)(std::string&& bytes, int depth, FilterSpec* out);
};

using What = CompareFilterSpec::What;
constexpr FilterClass kFilters[] = {
    {"FilterList", DecodeList},
    {"SingleColumnValueFilter", DecodeSingleColumnValue},
    {"SingleColumnValueExcludeFilter", DecodeSingleColumnValueExclude},
    {"PrefixFilter", DecodePrefix},
    {"RowFilter", DecodeCompare<pb::RowFilter, What::kRow>},
    {"FamilyFilter", DecodeCompare<pb::FamilyFilter, What::kFamily>},
    {"QualifierFilter", DecodeCompare<pb::QualifierFilter, What::kQualifier>},
    {"ValueFilter", DecodeCompare<pb::ValueFilter, What::kValue>},
    {"DependentColumnFilter", DecodeDependentColumn},
    {"ColumnValueFilter", DecodeColumnValue},
    {"ColumnPrefixFilter", DecodeColumnPrefix},
    {"MultipleColumnPrefixFilter", DecodeMultipleColumnPrefix},
    {"ColumnRangeFilter", DecodeColumnRange},
    {"ColumnCountGetFilter", DecodeColumnCountGet},
    {"ColumnPaginationFilter", DecodeColumnPagination},
    {"PageFilter", DecodePage},
    {"FirstKeyOnlyFilter", DecodeEmpty<pb::FirstKeyOnlyFilter, FirstKeyOnlyFilterSpec>},
    {"FirstKeyValueMatchingQualifiersFilter", DecodeFirstKeyValueMatchingQualifiers},
    {"KeyOnlyFilter", DecodeKeyOnly},
    {"InclusiveStopFilter", DecodeInclusiveStop},
    {"FuzzyRowFilter", DecodeFuzzyRow},
    {"MultiRowRangeFilter", DecodeMultiRowRange},
    {"RandomRowFilter", DecodeRandomRow},
    {"TimestampsFilter", DecodeTimestamps},
    {"SkipFilter", DecodeWrapped<pb::SkipFilter, SkipFilterSpec>},
    {"WhileMatchFilter", DecodeWrapped<pb::WhileMatchFilter, WhileMatchFilterSpec>},
    {"FilterAllFilter", DecodeEmpty<pb::FilterAllFilter, FilterAllSpec>},
};

absl::Status Decode(std::string_view class_name, std::string&& bytes, int depth, FilterSpec* out) {
  if (depth > kMaxFilterDepth) return Garbled(absl::StrCat("filters are nested deeper than ", kMaxFilterDepth));
  if (class_name == kSparkSqlFilter) return DecodeSparkSql(std::move(bytes), depth, out);
  std::string_view name;
  if (!ShortName(class_name, &name)) return UnknownClass(class_name);
  for (const FilterClass& known : kFilters) {
    if (known.name == name) return known.decode(std::move(bytes), depth, out);
  }
  return UnknownClass(class_name);
}

absl::Status DecodeNested(pb::Filter* filter, int depth, FilterSpec* out) {
  std::string bytes = std::move(*filter->mutable_serialized_filter());
  return Decode(filter->name(), std::move(bytes), depth, out);
}

}  // namespace

void EncodeComparator(const ComparatorSpec& comparator, pb::Comparator* out) {
  switch (comparator.type) {
    case ComparatorType::kBinary:
      return EncodeBytes<pb::BinaryComparator>(comparator, out);
    case ComparatorType::kBinaryPrefix:
      return EncodeBytes<pb::BinaryPrefixComparator>(comparator, out);
    case ComparatorType::kLong:
      return EncodeBytes<pb::LongComparator>(comparator, out);
    case ComparatorType::kBigDecimal:
      return EncodeBytes<pb::BigDecimalComparator>(comparator, out);
    case ComparatorType::kNull:
      return Encode(pb::NullComparator(), out);
    case ComparatorType::kBinaryComponent: {
      pb::BinaryComponentComparator message;
      message.set_value(comparator.bytes);
      message.set_offset(static_cast<uint32_t>(comparator.offset));
      return Encode(message, out);
    }
    case ComparatorType::kBit: {
      pb::BitComparator message;
      message.mutable_comparable()->set_value(comparator.bytes);
      message.set_bitwise_op(
          static_cast<pb::BitComparator::BitwiseOp>(static_cast<int>(comparator.bit_op) + pb::BitComparator::AND));
      return Encode(message, out);
    }
    case ComparatorType::kRegex: {
      pb::RegexStringComparator message;
      message.set_pattern(comparator.bytes);
      message.set_pattern_flags(comparator.regex_flags);
      message.set_charset(comparator.charset);
      message.set_engine("JAVA");
      return Encode(message, out);
    }
    case ComparatorType::kSubstring: {
      pb::SubstringComparator message;
      message.set_substr(comparator.bytes);
      return Encode(message, out);
    }
  }
}

absl::Status DecodeComparator(const pb::Comparator& comparator, ComparatorSpec* out) {
  std::string_view name;
  if (!ShortName(comparator.name(), &name)) return UnknownClass(comparator.name());
  for (const ComparatorClass& known : kComparators) {
    if (known.name == name) return known.decode(comparator.serialized_comparator(), out);
  }
  return UnknownClass(comparator.name());
}

void EncodeFilter(const FilterSpec& filter, pb::Filter* out) { std::visit(Encoder{out}, filter.kind); }

absl::Status DecodeFilter(const pb::Filter& filter, FilterSpec* out) {
  return Decode(filter.name(), std::string(filter.serialized_filter()), 0, out);
}

}  // namespace vaquita

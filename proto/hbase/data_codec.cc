#include "proto/hbase/data_codec.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/big_endian.h"
#include "base/status.h"
#include "model/region_info.h"
#include "model/request_check.h"
#include "proto/hbase/filter_codec.h"

namespace vaquita {
namespace {

using pb::MutationProto;
using QualifierValue = MutationProto::ColumnValue::QualifierValue;

static_assert(static_cast<int>(Durability::kUseDefault) == MutationProto::USE_DEFAULT);
static_assert(static_cast<int>(Durability::kSkipWal) == MutationProto::SKIP_WAL);
static_assert(static_cast<int>(Durability::kAsyncWal) == MutationProto::ASYNC_WAL);
static_assert(static_cast<int>(Durability::kSyncWal) == MutationProto::SYNC_WAL);
static_assert(static_cast<int>(Durability::kFsyncWal) == MutationProto::FSYNC_WAL);

// HBase's names of attributes: Mutation.OP_ATTRIBUTE_TTL and RETURN_RESULTS, Scan.RAW_ATTR.
constexpr std::string_view kTtlAttribute = "_ttl";
constexpr std::string_view kReturnResultsAttribute = "_rr_";
constexpr std::string_view kRawAttribute = "_raw_";
constexpr uint8_t kTtlTag = 8;  // TagType.TTL_TAG_TYPE

// Mutation.getTTL returns this for a mutation without a TTL.
constexpr int64_t kMaxTtl = std::numeric_limits<int64_t>::max();

// A count in a message reserves room for this many cells at most.
constexpr int kMaxReserve = 1024;

// Bytes.toBytes(boolean).
std::string BoolBytes(bool value) { return std::string(1, value ? '\xFF' : '\0'); }

absl::Status DecodeBool(std::string_view bytes, bool* value) {
  if (bytes.size() != 1) {
    return Error(ErrorKind::kIllegalArgument, absl::StrCat("Array has wrong size: ", bytes.size()));
  }
  *value = bytes[0] != 0;
  return absl::OkStatus();
}

absl::Status DecodeLong(std::string_view bytes, int64_t* value) {
  if (bytes.size() != sizeof(*value)) {
    return Error(ErrorKind::kIllegalArgument,
                 absl::StrCat("Wrong length: ", bytes.size(), ", expected ", sizeof(*value)));
  }
  *value = static_cast<int64_t>(GetBigEndian<uint64_t>(bytes.data()));
  return absl::OkStatus();
}

template <typename Message>
void AddAttribute(std::string_view name, std::string value, Message* out) {
  pb::NameBytesPair* attribute = out->add_attribute();
  attribute->set_name(name.data(), name.size());
  attribute->set_value(std::move(value));
}

// --- What Get and Scan share; their messages have fields of the same names.

template <typename Message>
void EncodeRead(const ReadOptions& read, Message* out) {
  out->set_cache_blocks(read.cache_blocks);
  out->set_max_versions(static_cast<uint32_t>(read.max_versions));
  for (const auto& [family, range] : read.family_time_ranges) {
    pb::ColumnFamilyTimeRange* family_range = out->add_cf_time_range();
    family_range->set_column_family(family);
    EncodeTimeRange(range, family_range->mutable_time_range());
  }
  EncodeTimeRange(read.time_range, out->mutable_time_range());
  if (read.filter) EncodeFilter(*read.filter, out->mutable_filter());
  for (const auto& [family, qualifiers] : read.columns) {
    pb::Column* column = out->add_column();
    column->set_family(family);
    for (const std::string& qualifier : qualifiers) column->add_qualifier(qualifier);
  }
  if (read.store_limit >= 0) out->set_store_limit(static_cast<uint32_t>(read.store_limit));
  if (read.store_offset > 0) out->set_store_offset(static_cast<uint32_t>(read.store_offset));
}

template <typename Message>
absl::Status DecodeRead(const Message& message, ReadOptions* out) {
  out->cache_blocks = message.cache_blocks();
  out->max_versions = static_cast<int32_t>(message.max_versions());
  if (message.has_store_limit()) out->store_limit = static_cast<int32_t>(message.store_limit());
  out->store_offset = static_cast<int32_t>(message.store_offset());
  for (const pb::ColumnFamilyTimeRange& range : message.cf_time_range()) {
    out->family_time_ranges[range.column_family()] = DecodeTimeRange(range.time_range());
  }
  if (message.has_time_range()) out->time_range = DecodeTimeRange(message.time_range());
  // In the order they come: a family as a whole takes the place of its columns, and a column that of the whole family.
  for (const pb::Column& column : message.column()) {
    std::vector<std::string>& qualifiers = out->columns[column.family()];
    if (column.qualifier_size() == 0) qualifiers.clear();
    qualifiers.insert(qualifiers.end(), column.qualifier().begin(), column.qualifier().end());
  }
  if (!message.has_filter()) return absl::OkStatus();
  return DecodeFilter(message.filter(), &out->filter.emplace());
}

// --- Cells inside messages.

CellType ToCellType(MutationProto::DeleteType type) {
  switch (type) {
    case MutationProto::DELETE_ONE_VERSION:
      return CellType::kDelete;
    case MutationProto::DELETE_MULTIPLE_VERSIONS:
      return CellType::kDeleteColumn;
    case MutationProto::DELETE_FAMILY:
      return CellType::kDeleteFamily;
    case MutationProto::DELETE_FAMILY_VERSION:
      return CellType::kDeleteFamilyVersion;
  }
  return CellType::kDelete;
}

MutationProto::DeleteType ToDeleteType(CellType type) {
  switch (type) {
    case CellType::kDeleteColumn:
      return MutationProto::DELETE_MULTIPLE_VERSIONS;
    case CellType::kDeleteFamily:
      return MutationProto::DELETE_FAMILY;
    case CellType::kDeleteFamilyVersion:
      return MutationProto::DELETE_FAMILY_VERSION;
    case CellType::kPut:
    case CellType::kDelete:
      break;
  }
  return MutationProto::DELETE_ONE_VERSION;
}

// A cell's tags: per tag a u16 length of type and value, a u8 type, the value. Only a time to live is kept.
absl::Status DecodeTags(std::string_view tags, int64_t* ttl_ms) {
  while (!tags.empty()) {
    if (tags.size() < 3) return Error(ErrorKind::kDoNotRetryIO, "A cell's tags are truncated");
    const size_t length = GetBigEndian<uint16_t>(tags.data());
    if (length == 0 || length > tags.size() - 2) {
      return Error(ErrorKind::kDoNotRetryIO, absl::StrCat("A cell's tag cannot have the length ", length));
    }
    if (static_cast<uint8_t>(tags[2]) == kTtlTag)
      VAQUITA_RETURN_IF_ERROR(DecodeLong(tags.substr(3, length - 1), ttl_ms));
    tags.remove_prefix(2 + length);
  }
  return absl::OkStatus();
}

void EncodeCell(const CellView& cell, pb::Cell* out) {
  out->set_row(cell.row.data(), cell.row.size());
  out->set_family(cell.family.data(), cell.family.size());
  out->set_qualifier(cell.qualifier.data(), cell.qualifier.size());
  out->set_timestamp(static_cast<uint64_t>(cell.timestamp_ms));
  out->set_cell_type(static_cast<pb::CellType>(cell.type));
  out->set_value(cell.value.data(), cell.value.size());
}

absl::Status DecodeCell(const pb::Cell& message, Cell* out) {
  out->row = message.row();
  out->family = message.family();
  out->qualifier = message.qualifier();
  out->timestamp_ms = static_cast<int64_t>(message.timestamp());
  if (message.cell_type() == pb::MINIMUM || message.cell_type() == pb::MAXIMUM) {
    return Error(ErrorKind::kDeserialization, absl::StrCat("A cell cannot have the type ", message.cell_type()));
  }
  out->type = static_cast<CellType>(message.cell_type());
  out->value = message.value();
  return absl::OkStatus();
}

// --- Mutations.

const char* TypeName(MutationProto::MutationType type) { return MutationProto::MutationType_Name(type).c_str(); }

MutationType DecodeMutationType(MutationProto::MutationType type) {
  switch (type) {
    case MutationProto::APPEND:
      return MutationType::kAppend;
    case MutationProto::INCREMENT:
      return MutationType::kIncrement;
    case MutationProto::PUT:
      return MutationType::kPut;
    case MutationProto::DELETE:
      break;
  }
  return MutationType::kDelete;
}

MutationProto::MutationType EncodeMutationType(MutationType type) {
  switch (type) {
    case MutationType::kPut:
      return MutationProto::PUT;
    case MutationType::kDelete:
      return MutationProto::DELETE;
    case MutationType::kIncrement:
      return MutationProto::INCREMENT;
    case MutationType::kAppend:
      break;
  }
  return MutationProto::APPEND;
}

int CellCount(const MutationProto& message) { return std::max(message.associated_cell_count(), 0); }

absl::Status BlockEndsEarly(const MutationProto& message, std::string_view row, int index,
                            const CellBlockReader& cells) {
  return Error(ErrorKind::kDoNotRetryIO,
               absl::StrCat("Cell count of ", CellCount(message), " but at index ", index,
                            cells.failed() ? " no cell can be read" : " no cell returned", ": row=", AbslText(row),
                            ", type=", TypeName(message.mutate_type())));
}

absl::Status WrongRow(const CellView& cell, std::string_view row) {
  return Error(ErrorKind::kDoNotRetryIO, absl::StrCat("The row in ", ToShortStringBinary(cell.row),
                                                      " doesn't match the original one ", ToShortStringBinary(row)));
}

// Reads the mutation's cells from the block; all are read even if one is refused.
absl::Status DecodeBlockCells(const MutationProto& message, bool has_row, CellBlockReader* cells, Mutation* out) {
  const int count = CellCount(message);
  if (cells == nullptr) {
    return Error(ErrorKind::kDoNotRetryIO, absl::StrCat("Cell count of ", count, " but no cellScanner: row=", out->row,
                                                        ", type=", TypeName(message.mutate_type())));
  }
  absl::Status status;
  out->cells.reserve(std::min(count, kMaxReserve));
  for (int i = 0; i < count; ++i) {
    CellView view;
    if (!cells->Next(&view)) return BlockEndsEarly(message, out->row, i, *cells);
    if (i == 0 && !has_row) out->row = view.row;
    if (view.row != out->row) {
      if (status.ok()) status = WrongRow(view, out->row);
      continue;
    }
    Cell& cell = out->cells.emplace_back();
    cell.family = view.family;
    cell.qualifier = view.qualifier;
    cell.timestamp_ms = view.timestamp_ms;
    cell.type = view.type;
    cell.value = view.value;
    cell.ttl_ms = view.ttl_ms;
  }
  return status;
}

int64_t CellTimestamp(const QualifierValue& column, const Mutation& mutation) {
  if (column.has_timestamp()) return static_cast<int64_t>(column.timestamp());
  return mutation.type == MutationType::kPut ? mutation.timestamp_ms : kLatestTimestamp;
}

// By family, the number of cells before those that count: Delete.addFamily replaces the family's earlier deletes. They
// are removed once, at the end, because a message may have any number of them.
using ReplacedCells = std::map<std::string_view, size_t>;

void RemoveReplaced(const ReplacedCells& replaced, std::vector<Cell>* cells) {
  if (replaced.empty()) return;
  size_t kept = 0;
  for (size_t i = 0; i < cells->size(); ++i) {
    const auto found = replaced.find((*cells)[i].family);
    if (found != replaced.end() && i < found->second) continue;
    if (kept != i) (*cells)[kept] = std::move((*cells)[i]);
    ++kept;
  }
  cells->resize(kept);
}

absl::Status DecodeMessageCell(const std::string& family, QualifierValue* column, Mutation* out,
                               ReplacedCells* replaced) {
  if (out->type != MutationType::kDelete && !column->has_value()) {
    return Error(ErrorKind::kDoNotRetryIO, "Missing required field: qualifier value");
  }
  Cell cell;
  cell.timestamp_ms = CellTimestamp(*column, *out);
  if (out->type == MutationType::kDelete || (out->type == MutationType::kPut && column->has_delete_type())) {
    cell.type = ToCellType(column->delete_type());
  }
  if (out->type == MutationType::kDelete && cell.type == CellType::kDeleteFamily) {
    (*replaced)[family] = out->cells.size();
  }
  VAQUITA_RETURN_IF_ERROR(DecodeTags(column->tags(), &cell.ttl_ms));
  cell.family = family;
  cell.qualifier = std::move(*column->mutable_qualifier());
  if (cell.type == CellType::kPut) cell.value = std::move(*column->mutable_value());
  out->cells.push_back(std::move(cell));
  return absl::OkStatus();
}

absl::Status DecodeMessageCells(MutationProto* message, bool has_row, Mutation* out) {
  if (!has_row) return Error(ErrorKind::kIllegalArgument, "row cannot be null");
  ReplacedCells replaced;
  for (MutationProto::ColumnValue& column : *message->mutable_column_value()) {
    // Only the first: to reserve again and again would copy all cells as often.
    if (out->cells.empty()) out->cells.reserve(column.qualifier_value_size());
    for (QualifierValue& value : *column.mutable_qualifier_value()) {
      VAQUITA_RETURN_IF_ERROR(DecodeMessageCell(column.family(), &value, out, &replaced));
    }
  }
  RemoveReplaced(replaced, &out->cells);
  return absl::OkStatus();
}

absl::Status DecodeAttributes(const MutationProto& message, Mutation* out) {
  for (const pb::NameBytesPair& attribute : message.attribute()) {
    if (attribute.name() == kTtlAttribute) {
      VAQUITA_RETURN_IF_ERROR(DecodeLong(attribute.value(), &out->ttl_ms));
      if (out->ttl_ms == kMaxTtl) out->ttl_ms = kNoTtl;
    } else if (attribute.name() == kReturnResultsAttribute) {
      VAQUITA_RETURN_IF_ERROR(DecodeBool(attribute.value(), &out->return_results));
    }
  }
  return absl::OkStatus();
}

void EncodeMessageCell(const Cell& cell, MutationType type, MutationProto::ColumnValue* out) {
  QualifierValue* value = out->add_qualifier_value();
  value->set_qualifier(cell.qualifier);
  value->set_value(cell.value);
  value->set_timestamp(static_cast<uint64_t>(cell.timestamp_ms));
  if (type == MutationType::kDelete || IsDelete(cell.type)) value->set_delete_type(ToDeleteType(cell.type));
  if (cell.ttl_ms != kNoTtl) value->set_tags(TtlTag(cell.ttl_ms));
}

// Cells of one family that follow each other share a ColumnValue.
void EncodeMessageCells(const Mutation& mutation, MutationProto* out) {
  MutationProto::ColumnValue* column = nullptr;
  for (const Cell& cell : mutation.cells) {
    if (column == nullptr || column->family() != cell.family) {
      column = out->add_column_value();
      column->set_family(cell.family);
    }
    EncodeMessageCell(cell, mutation.type, column);
  }
}

}  // namespace

void EncodeTimeRange(const TimeRange& range, pb::TimeRange* out) {
  out->set_from(static_cast<uint64_t>(range.min_ms));
  out->set_to(static_cast<uint64_t>(range.max_ms));
}

TimeRange DecodeTimeRange(const pb::TimeRange& range) {
  TimeRange out;
  if (range.has_from()) out.min_ms = static_cast<int64_t>(range.from());
  if (range.has_to()) out.max_ms = static_cast<int64_t>(range.to());
  return out;
}

void EncodeGet(const Get& get, pb::Get* out) {
  out->set_row(get.row);
  EncodeRead(get, out);
  if (get.existence_only) out->set_existence_only(true);
  if (get.closest_row_before) out->set_closest_row_before(true);
}

absl::StatusOr<Get> DecodeGet(const pb::Get& message) {
  Get get;
  get.row = message.row();
  VAQUITA_RETURN_IF_ERROR(DecodeRead(message, &get));
  get.existence_only = message.existence_only();
  get.closest_row_before = message.closest_row_before();
  return get;
}

void EncodeScan(const Scan& scan, pb::Scan* out) {
  EncodeRead(scan, out);
  if (scan.batch > 0) out->set_batch_size(static_cast<uint32_t>(scan.batch));
  if (scan.max_result_bytes > 0) out->set_max_result_size(static_cast<uint64_t>(scan.max_result_bytes));
  if (scan.allow_partial_results) out->set_allow_partial_results(true);
  if (scan.raw) AddAttribute(kRawAttribute, BoolBytes(true), out);
  if (!scan.rows.start.empty()) out->set_start_row(scan.rows.start);
  if (!scan.rows.stop.empty()) out->set_stop_row(scan.rows.stop);
  if (scan.reversed) out->set_reversed(true);
  if (scan.caching > 0) out->set_caching(static_cast<uint32_t>(scan.caching));
  if (!scan.load_families_on_demand) out->set_load_column_families_on_demand(false);
  if (!scan.rows.start_inclusive) out->set_include_start_row(false);
  out->set_include_stop_row(scan.rows.stop_inclusive);
}

absl::StatusOr<Scan> DecodeScan(const pb::Scan& message) {
  VAQUITA_RETURN_IF_ERROR(CheckScanRows(message.start_row(), message.stop_row()));
  Scan scan;
  VAQUITA_RETURN_IF_ERROR(DecodeRead(message, &scan));
  scan.rows.start = message.start_row();
  scan.rows.stop = message.stop_row();
  scan.rows.start_inclusive = message.include_start_row();
  scan.rows.stop_inclusive = message.include_stop_row();
  // Clients before 2.0 do not set this; their scan from a row to itself is a get.
  if (!message.has_include_stop_row() && !scan.rows.start.empty() && scan.rows.start == scan.rows.stop) {
    scan.rows.stop_inclusive = true;
  }
  scan.reversed = message.reversed();
  if (message.has_batch_size()) scan.batch = static_cast<int32_t>(message.batch_size());
  if (message.has_max_result_size()) scan.max_result_bytes = static_cast<int64_t>(message.max_result_size());
  if (message.has_caching()) scan.caching = static_cast<int32_t>(message.caching());
  scan.allow_partial_results = message.allow_partial_results();
  if (message.has_load_column_families_on_demand()) {
    scan.load_families_on_demand = message.load_column_families_on_demand();
  }
  for (const pb::NameBytesPair& attribute : message.attribute()) {
    if (attribute.name() == kRawAttribute) VAQUITA_RETURN_IF_ERROR(DecodeBool(attribute.value(), &scan.raw));
  }
  return scan;
}

void EncodeMutation(const Mutation& mutation, CellBlock* cells, pb::MutationProto* out) {
  out->set_row(mutation.row);
  out->set_mutate_type(EncodeMutationType(mutation.type));
  out->set_durability(static_cast<MutationProto::Durability>(mutation.durability));
  out->set_timestamp(static_cast<uint64_t>(mutation.timestamp_ms));
  if (mutation.ttl_ms != kNoTtl) {
    std::string ttl;
    AppendBigEndian<uint64_t>(static_cast<uint64_t>(mutation.ttl_ms), &ttl);
    AddAttribute(kTtlAttribute, std::move(ttl), out);
  }
  if (!mutation.return_results) AddAttribute(kReturnResultsAttribute, BoolBytes(false), out);
  if (IsDelta(mutation.type)) EncodeTimeRange(mutation.time_range, out->mutable_time_range());
  if (cells == nullptr) return EncodeMessageCells(mutation, out);

  out->set_associated_cell_count(static_cast<int32_t>(mutation.cells.size()));
  for (const Cell& cell : mutation.cells) {
    CellView view = cell.view();
    view.row = mutation.row;
    cells->Append(view);
  }
}

absl::Status DecodeMutation(pb::MutationProto* message, CellBlockReader* cells, Mutation* out) {
  out->type = DecodeMutationType(message->mutate_type());
  const bool has_row = message->has_row();
  if (has_row) out->row = std::move(*message->mutable_row());
  if (message->has_timestamp()) out->timestamp_ms = static_cast<int64_t>(message->timestamp());
  out->durability = static_cast<Durability>(message->durability());
  if (CellCount(*message) > 0) {
    VAQUITA_RETURN_IF_ERROR(DecodeBlockCells(*message, has_row, cells, out));
  } else {
    VAQUITA_RETURN_IF_ERROR(DecodeMessageCells(message, has_row, out));
  }
  if (IsDelta(out->type) && message->has_time_range()) out->time_range = DecodeTimeRange(message->time_range());
  return DecodeAttributes(*message, out);
}

absl::Status SkipCells(const pb::MutationProto& message, CellBlockReader* cells) {
  CellView cell;
  for (int i = 0; i < CellCount(message); ++i) {
    if (cells == nullptr) return Error(ErrorKind::kDoNotRetryIO, "Cell count but no cellScanner");
    if (!cells->Next(&cell)) return BlockEndsEarly(message, message.row(), i, *cells);
  }
  return absl::OkStatus();
}

absl::Status DecodeRowMutations(pb::RegionAction* message, CellBlockReader* cells, RowMutations* out) {
  absl::Status status;
  for (pb::Action& action : *message->mutable_action()) {
    if (!action.has_mutation()) {
      if (status.ok()) {
        status = Error(ErrorKind::kDoNotRetryIO, absl::StrCat("Atomic put and/or delete only, not ",
                                                              action.has_get() ? "a Get" : "a service call"));
      }
      continue;
    }
    Mutation& mutation = out->mutations.emplace_back();
    const absl::Status decoded = DecodeMutation(action.mutable_mutation(), cells, &mutation);
    if (cells != nullptr && cells->failed()) return decoded;
    if (status.ok()) status = decoded;
    if (status.ok() && mutation.row != out->mutations.front().row) {
      status = Error(ErrorKind::kDoNotRetryIO,
                     absl::StrCat("The row in the recently added Mutation ", ToShortStringBinary(mutation.row),
                                  " doesn't match the original one ", ToShortStringBinary(out->mutations.front().row)));
    }
  }
  if (!out->mutations.empty()) out->row = out->mutations.front().row;
  return status;
}

void EncodeCondition(const CheckAndMutate& check, pb::Condition* out) {
  out->set_row(check.row);
  if (check.filter.has_value()) {
    EncodeFilter(*check.filter, out->mutable_filter());
  } else {
    out->set_family(check.family);
    out->set_qualifier(check.qualifier);
    out->set_compare_type(static_cast<pb::CompareType>(check.op));
    EncodeComparator(check.comparator.value_or(ComparatorSpec()), out->mutable_comparator());
  }
  EncodeTimeRange(check.time_range, out->mutable_time_range());
}

absl::Status DecodeCondition(const pb::Condition& condition, CheckAndMutate* out) {
  out->row = condition.row();
  if (condition.has_time_range()) out->time_range = DecodeTimeRange(condition.time_range());
  if (condition.has_filter()) return DecodeFilter(condition.filter(), &out->filter.emplace());
  out->family = condition.family();
  out->qualifier = condition.qualifier();
  out->op = static_cast<CompareOp>(condition.compare_type());
  ComparatorSpec comparator;
  VAQUITA_RETURN_IF_ERROR(DecodeComparator(condition.comparator(), &comparator));
  // Without bytes the condition is that the column is absent or empty.
  if (!comparator.bytes.empty()) out->comparator = ComparatorSpec{.bytes = std::move(comparator.bytes)};
  return absl::OkStatus();
}

void EncodeResult(const CellBlock& cells, ResultRange range, pb::Result* out) {
  out->mutable_cell()->Reserve(static_cast<int>(range.count));
  for (size_t i = 0; i < range.count; ++i) EncodeCell(cells[range.first + i], out->add_cell());
  if (range.partial) out->set_partial(true);
}

void EncodeResultByCount(ResultRange range, pb::Result* out) {
  if (range.count > 0) out->set_associated_cell_count(static_cast<int32_t>(range.count));
  if (range.partial) out->set_partial(true);
}

absl::Status DecodeResult(const pb::Result& result, CellBlockReader* cells, std::vector<Cell>* out) {
  const int count = std::max(result.associated_cell_count(), 0);
  out->reserve(out->size() + std::min(count, kMaxReserve) + result.cell_size());
  for (int i = 0; i < count; ++i) {
    CellView cell;
    if (cells == nullptr || !cells->Next(&cell)) {
      return Error(ErrorKind::kDeserialization, absl::StrCat("Failed get ", i, " of ", count));
    }
    out->emplace_back(cell);
  }
  for (const pb::Cell& cell : result.cell()) VAQUITA_RETURN_IF_ERROR(DecodeCell(cell, &out->emplace_back()));
  return absl::OkStatus();
}

}  // namespace vaquita

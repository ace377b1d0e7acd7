#include "proto/vaquita/data_codec.h"

#include <algorithm>
#include <string>
#include <variant>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "model/cell_block_reader.h"
#include "proto/vaquita/enum_codec.h"
#include "proto/vaquita/filter_codec.h"

namespace vaquita {
namespace {

static_assert(static_cast<int>(MutationType::kPut) + 1 == v1::Mutation::TYPE_PUT);
static_assert(static_cast<int>(MutationType::kAppend) + 1 == v1::Mutation::TYPE_APPEND);
static_assert(static_cast<int>(Durability::kUseDefault) == v1::DURABILITY_USE_DEFAULT);
static_assert(static_cast<int>(Durability::kFsyncWal) == v1::DURABILITY_FSYNC_WAL);

// The largest length of a family that a cell block's length byte can hold.
constexpr size_t kMaxBlockFamily = 255;

absl::Status Refuse(const char* field, const char* what) {
  return Error(ErrorKind::kIllegalArgument, absl::StrCat(field, ": ", what));
}

void ToProto(const ReadOptions& options, v1::ReadOptions* out) {
  for (const auto& [family, qualifiers] : options.columns) {
    v1::FamilySelection* selection = out->add_families();
    selection->set_family(family);
    for (const std::string& qualifier : qualifiers) selection->add_qualifiers(qualifier);
  }
  if (options.max_versions != 1) out->set_max_versions(options.max_versions);
  if (!options.time_range.IsAll()) ToProto(options.time_range, out->mutable_time_range());
  for (const auto& [family, range] : options.family_time_ranges) {
    v1::FamilyTimeRange* family_range = out->add_family_time_ranges();
    family_range->set_family(family);
    ToProto(range, family_range->mutable_time_range());
  }
  if (options.filter) ToProto(*options.filter, out->mutable_filter());
  if (options.store_limit != -1) out->set_store_limit(options.store_limit);
  out->set_store_offset(options.store_offset);
  if (!options.cache_blocks) out->set_cache_blocks(false);
}

absl::Status FromProto(const v1::ReadOptions& options, ReadOptions* out) {
  for (const v1::FamilySelection& selection : options.families()) {
    std::vector<std::string>& qualifiers = out->columns[selection.family()];
    qualifiers.insert(qualifiers.end(), selection.qualifiers().begin(), selection.qualifiers().end());
  }
  if (options.has_max_versions()) out->max_versions = options.max_versions();
  out->time_range = vaquita::FromProto(options.time_range());
  for (const v1::FamilyTimeRange& range : options.family_time_ranges()) {
    out->family_time_ranges[range.family()] = vaquita::FromProto(range.time_range());
  }
  if (options.has_filter()) VAQUITA_RETURN_IF_ERROR(FromProto(options.filter(), &out->filter.emplace()));
  if (options.has_store_limit()) out->store_limit = options.store_limit();
  out->store_offset = options.store_offset();
  if (options.has_cache_blocks()) out->cache_blocks = options.cache_blocks();
  return absl::OkStatus();
}

// Returns whether a cell block can hold all of the mutation's cells.
bool FitsBlock(const Mutation& mutation) {
  return std::all_of(mutation.cells.begin(), mutation.cells.end(), [&](const Cell& cell) {
    return cell.ttl_ms == kNoTtl && (cell.row.empty() || cell.row == mutation.row) &&
           cell.family.size() <= kMaxBlockFamily;
  });
}

void ToProto(const CellView& cell, v1::Cell* out) {
  out->set_family(cell.family.data(), cell.family.size());
  out->set_qualifier(cell.qualifier.data(), cell.qualifier.size());
  if (cell.timestamp_ms != kLatestTimestamp) out->set_timestamp_ms(cell.timestamp_ms);
  out->set_type(static_cast<v1::CellType>(cell.type));
  out->set_value(cell.value.data(), cell.value.size());
  if (cell.ttl_ms != kNoTtl) out->set_ttl_ms(cell.ttl_ms);
}

// Decodes a cell, and leaves its row empty.
absl::Status FromProto(const v1::Cell& cell, bool needs_type, Cell* out) {
  if (!v1::CellType_IsValid(cell.type())) {
    return Error(ErrorKind::kIllegalArgument, absl::StrCat("cell.type: unknown value ", static_cast<int>(cell.type())));
  }
  if (cell.type() != v1::CELL_TYPE_UNSPECIFIED) {
    out->type = static_cast<CellType>(cell.type());
  } else if (needs_type) {
    return Refuse("cell.type", "is missing; each cell of a Delete needs one");
  }
  out->family = cell.family();
  out->qualifier = cell.qualifier();
  if (cell.has_timestamp_ms()) out->timestamp_ms = cell.timestamp_ms();
  out->value = cell.value();
  if (cell.has_ttl_ms()) out->ttl_ms = cell.ttl_ms();
  return absl::OkStatus();
}

absl::Status MutationsFromProto(const google::protobuf::RepeatedPtrField<v1::Mutation>& mutations,
                                std::vector<Mutation>* out) {
  out->resize(mutations.size());
  for (int i = 0; i < mutations.size(); ++i) VAQUITA_RETURN_IF_ERROR(FromProto(mutations[i], &(*out)[i]));
  return absl::OkStatus();
}

constexpr size_t kCellOverhead = 24;  // bytes of a cell in a block beside its row, family, qualifier and value
constexpr size_t kMostReserved = 32;  // cells

// Reads a block's cells. A cell's row is left empty if it is `same_row`.
absl::Status ReadBlock(std::string_view block, std::string_view same_row, std::vector<Cell>* out) {
  CellBlockReader reader(block);
  for (CellView view; reader.Next(&view);) {
    if (view.row == same_row) view.row = {};
    if (out->empty()) {  // a row's cells are often of one size
      const size_t bytes = view.row.size() + view.family.size() + view.qualifier.size() + view.value.size();
      out->reserve(std::min(block.size() / (kCellOverhead + bytes), kMostReserved));
    }
    out->emplace_back(view);
  }
  return reader.failed() ? Refuse("cell_block", "is malformed") : absl::OkStatus();
}

}  // namespace

void ToProto(const TimeRange& range, v1::TimeRange* out) {
  if (range.min_ms != 0) out->set_min_ms(range.min_ms);
  if (range.max_ms != kMaxTimestamp) out->set_max_ms(range.max_ms);
}

TimeRange FromProto(const v1::TimeRange& range) {
  TimeRange out;
  if (range.has_min_ms()) out.min_ms = range.min_ms();
  if (range.has_max_ms()) out.max_ms = range.max_ms();
  return out;
}

void ToProto(const Get& get, v1::Get* out) {
  out->set_row(get.row);
  ToProto(static_cast<const ReadOptions&>(get), out->mutable_options());
  out->set_existence_only(get.existence_only);
  out->set_closest_row_before(get.closest_row_before);
}

absl::Status FromProto(const v1::Get& get, Get* out) {
  out->row = get.row();
  out->existence_only = get.existence_only();
  out->closest_row_before = get.closest_row_before();
  return FromProto(get.options(), static_cast<ReadOptions*>(out));
}

void ToProto(const Scan& scan, v1::Scan* out) {
  ToProto(scan.rows, out->mutable_rows());
  ToProto(static_cast<const ReadOptions&>(scan), out->mutable_options());
  out->set_reversed(scan.reversed);
  out->set_raw(scan.raw);
  if (scan.limit != -1) out->set_limit(scan.limit);
  if (scan.batch != -1) out->set_batch(scan.batch);
  if (scan.caching != -1) out->set_caching(scan.caching);
  if (scan.max_result_bytes != -1) out->set_max_result_bytes(scan.max_result_bytes);
  out->set_allow_partial_results(scan.allow_partial_results);
  out->set_load_all_families(!scan.load_families_on_demand);
}

absl::Status FromProto(const v1::Scan& scan, Scan* out) {
  out->rows = FromProto(scan.rows());
  out->reversed = scan.reversed();
  out->raw = scan.raw();
  if (scan.has_limit()) out->limit = scan.limit();
  if (scan.has_batch()) out->batch = scan.batch();
  if (scan.has_caching()) out->caching = scan.caching();
  if (scan.has_max_result_bytes()) out->max_result_bytes = scan.max_result_bytes();
  out->allow_partial_results = scan.allow_partial_results();
  out->load_families_on_demand = !scan.load_all_families();
  return FromProto(scan.options(), static_cast<ReadOptions*>(out));
}

void ToProto(const Mutation& mutation, v1::Mutation* out) {
  out->set_type(EnumToProto<v1::Mutation::Type>(mutation.type));
  out->set_row(mutation.row);
  if (FitsBlock(mutation)) {
    CellBlock block;
    for (const Cell& cell : mutation.cells) {
      CellView view = cell.view();
      view.row = {};
      block.Append(view);
    }
    out->set_cell_block(block.bytes().data(), block.bytes().size());
  } else {
    for (const Cell& cell : mutation.cells) ToProto(cell.view(), out->add_cells());
  }
  if (mutation.timestamp_ms != kLatestTimestamp) out->set_timestamp_ms(mutation.timestamp_ms);
  if (mutation.ttl_ms != kNoTtl) out->set_ttl_ms(mutation.ttl_ms);
  out->set_durability(static_cast<v1::Durability>(mutation.durability));
  if (!mutation.return_results) out->set_return_results(false);
  if (!mutation.time_range.IsAll()) ToProto(mutation.time_range, out->mutable_time_range());
}

absl::Status FromProto(const v1::Mutation& mutation, Mutation* out) {
  if (mutation.type() == v1::Mutation::TYPE_UNSPECIFIED) return Refuse("mutation.type", "is missing");
  VAQUITA_RETURN_IF_ERROR(EnumFromProto(mutation.type(), MutationType::kAppend, "mutation.type", &out->type));
  out->row = mutation.row();
  VAQUITA_RETURN_IF_ERROR(ReadBlock(mutation.cell_block(), out->row, &out->cells));
  const bool needs_type = out->type == MutationType::kDelete;
  for (const v1::Cell& cell : mutation.cells()) {
    VAQUITA_RETURN_IF_ERROR(FromProto(cell, needs_type, &out->cells.emplace_back()));
  }
  if (mutation.has_timestamp_ms()) out->timestamp_ms = mutation.timestamp_ms();
  if (mutation.has_ttl_ms()) out->ttl_ms = mutation.ttl_ms();
  if (!v1::Durability_IsValid(mutation.durability())) return Refuse("mutation.durability", "is unknown");
  out->durability = static_cast<Durability>(mutation.durability());
  if (mutation.has_return_results()) out->return_results = mutation.return_results();
  out->time_range = FromProto(mutation.time_range());
  return absl::OkStatus();
}

void ToProto(const RowMutations& mutations, v1::RowMutations* out) {
  out->set_row(mutations.row);
  for (const Mutation& mutation : mutations.mutations) ToProto(mutation, out->add_mutations());
}

absl::Status FromProto(const v1::RowMutations& mutations, RowMutations* out) {
  out->row = mutations.row();
  return MutationsFromProto(mutations.mutations(), &out->mutations);
}

void ToProto(const CheckAndMutate& check, v1::CheckAndMutate* out) {
  out->set_row(check.row);
  out->set_family(check.family);
  out->set_qualifier(check.qualifier);
  out->set_op(EnumToProto<v1::CompareOp>(check.op));
  if (check.comparator) ToProto(*check.comparator, out->mutable_comparator());
  if (check.filter) ToProto(*check.filter, out->mutable_filter());
  if (!check.time_range.IsAll()) ToProto(check.time_range, out->mutable_time_range());
  for (const Mutation& mutation : check.mutations) ToProto(mutation, out->add_mutations());
}

absl::Status FromProto(const v1::CheckAndMutate& check, CheckAndMutate* out) {
  out->row = check.row();
  out->family = check.family();
  out->qualifier = check.qualifier();
  VAQUITA_RETURN_IF_ERROR(EnumFromProto(check.op(), CompareOp::kNoOp, "check_and_mutate.op", &out->op));
  if (check.has_comparator()) VAQUITA_RETURN_IF_ERROR(FromProto(check.comparator(), &out->comparator.emplace()));
  if (check.has_filter()) VAQUITA_RETURN_IF_ERROR(FromProto(check.filter(), &out->filter.emplace()));
  out->time_range = FromProto(check.time_range());
  return MutationsFromProto(check.mutations(), &out->mutations);
}

void ToProto(const Action& action, v1::Action* out) {
  struct Encoder {
    v1::Action* out;
    void operator()(const Get& get) const { ToProto(get, out->mutable_get()); }
    void operator()(const Mutation& mutation) const { ToProto(mutation, out->mutable_mutation()); }
    void operator()(const RowMutations& mutations) const { ToProto(mutations, out->mutable_row_mutations()); }
    void operator()(const CheckAndMutate& check) const { ToProto(check, out->mutable_check_and_mutate()); }
  };
  std::visit(Encoder{out}, action);
}

absl::Status FromProto(const v1::Action& action, Action* out) {
  switch (action.kind_case()) {
    case v1::Action::kGet:
      return FromProto(action.get(), &out->emplace<Get>());
    case v1::Action::kMutation:
      return FromProto(action.mutation(), &out->emplace<Mutation>());
    case v1::Action::kRowMutations:
      return FromProto(action.row_mutations(), &out->emplace<RowMutations>());
    case v1::Action::kCheckAndMutate:
      return FromProto(action.check_and_mutate(), &out->emplace<CheckAndMutate>());
    case v1::Action::KIND_NOT_SET:
      break;
  }
  return Refuse("action.kind", "is missing");
}

std::string_view RowOf(const Action& action) {
  return std::visit([](const auto& kind) { return std::string_view(kind.row); }, action);
}

void ToProto(const CellBlock& cells, ResultRange range, bool as_block, v1::Result* out) {
  out->set_partial(range.partial);
  out->set_exists(range.count > 0);
  if (range.count == 0) return;
  if (as_block) {
    const std::string_view block = cells.Encoded(range.first, range.count);
    out->set_cell_block(block.data(), block.size());
    return;
  }
  const std::string_view row = cells[range.first].row;
  out->set_row(row.data(), row.size());
  for (size_t i = 0; i < range.count; ++i) ToProto(cells[range.first + i], out->add_cells());
}

absl::Status FromProto(const v1::Result& result, std::vector<Cell>* out) {
  VAQUITA_RETURN_IF_ERROR(ReadBlock(result.cell_block(), {}, out));
  for (const v1::Cell& cell : result.cells()) {
    VAQUITA_RETURN_IF_ERROR(FromProto(cell, false, &out->emplace_back()));
    out->back().row = result.row();
  }
  return absl::OkStatus();
}

void ToProto(ResultBatch* batch, v1::ScanResponse* out) {
  out->mutable_cells_per_result()->Reserve(static_cast<int>(batch->results.size()));
  for (size_t i = 0; i < batch->results.size(); ++i) {
    out->add_cells_per_result(static_cast<uint32_t>(batch->results[i].count));
    if (batch->results[i].partial) out->add_partial_results(static_cast<uint32_t>(i));
  }
  out->set_cell_block(batch->cells.TakeBytes());
  batch->Clear();
}

absl::Status FromProto(const v1::ScanResponse& response, std::vector<ScannedResult>* out) {
  out->reserve(static_cast<size_t>(response.results_size()) + static_cast<size_t>(response.cells_per_result_size()));
  for (const v1::Result& result : response.results()) {
    ScannedResult& decoded = out->emplace_back();
    decoded.partial = result.partial();
    VAQUITA_RETURN_IF_ERROR(FromProto(result, &decoded.cells));
  }
  const size_t first = out->size();
  CellBlockReader reader(response.cell_block());
  CellView view;
  for (const uint32_t count : response.cells_per_result()) {
    ScannedResult& decoded = out->emplace_back();
    decoded.cells.reserve(std::min<size_t>(count, kMostReserved));
    for (uint32_t i = 0; i < count; ++i) {
      if (!reader.Next(&view)) return Refuse("cell_block", "has fewer cells than cells_per_result says");
      decoded.cells.emplace_back(view);
    }
  }
  if (reader.Next(&view) || reader.failed()) return Refuse("cell_block", "has more than cells_per_result says");
  for (const uint32_t number : response.partial_results()) {
    if (number >= out->size() - first) return Refuse("partial_results", "names a result that is not there");
    (*out)[first + number].partial = true;
  }
  return absl::OkStatus();
}

}  // namespace vaquita

#include "server/master/meta/meta_table.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "absl/strings/numbers.h"
#include "base/status.h"
#include "model/server_name.h"
#include "proto/hbase/stored_values.h"
#include "server/master/meta/scan_all.h"

namespace vaquita {
namespace {

constexpr std::string_view kInfo = "info";    // HConstants.CATALOG_FAMILY
constexpr std::string_view kTable = "table";  // HConstants.TABLE_FAMILY
constexpr std::string_view kRegionInfo = "regioninfo";
constexpr std::string_view kServer = "server";
constexpr std::string_view kStartCode = "serverstartcode";
constexpr std::string_view kServerName = "sn";
constexpr std::string_view kSeqNum = "seqnumDuringOpen";
constexpr std::string_view kState = "state";
constexpr std::string_view kSplitA = "splitA";
constexpr std::string_view kSplitB = "splitB";
constexpr std::string_view kMerge = "merge";
constexpr int64_t kOpenSeqNum = 2;  // HBase gives it to a new region

Cell MakeCell(std::string_view family, std::string_view qualifier, std::string value, CellType type = CellType::kPut) {
  Cell cell;
  cell.family = family;
  cell.qualifier = qualifier;
  cell.value = std::move(value);
  cell.type = type;
  return cell;
}

std::string MergeQualifier(size_t index) {
  char text[32];
  std::snprintf(text, sizeof text, "merge%04zu", index);
  return text;
}

FamilyDescriptor MetaFamily(std::string_view name, int32_t versions) {
  FamilyDescriptor family;
  family.name = name;
  family.max_versions = versions;
  family.in_memory = true;
  family.block_size_bytes = 8192;
  family.bloom_filter = BloomType::kRowCol;
  family.data_block_encoding = "ROW_INDEX_V1";
  return family;
}

absl::Status NotReadable(const CellView& cell, std::string_view why) {
  return Error(ErrorKind::kDeserialization, "'" + ToStringBinary(cell.value) + "' is " + std::string(why));
}

// Reads one cell of a region's row into `*row`.
absl::Status ReadRegionCell(const CellView& cell, MetaTable::Row* row) {
  if (cell.qualifier == kRegionInfo) {
    VAQUITA_ASSIGN_OR_RETURN(row->region.info, DecodeRegionInfo(cell.value));
  } else if (cell.qualifier == kState) {
    const auto state = ParseRegionState(cell.value);
    if (!state.has_value()) return NotReadable(cell, "no state of a region");
    row->region.state = *state;
  } else if (cell.qualifier == kServerName) {
    row->region.server_name = cell.value;
  } else if (cell.value.empty() && (cell.qualifier == kServer || cell.qualifier == kStartCode)) {
    row->region.home.clear();              // as in HBase, an empty value means that there is none
  } else if (cell.qualifier == kServer) {  // the start code's column comes next
    if (!IsHostAndPort(cell.value)) return NotReadable(cell, "not host:port");
    row->region.home = cell.value;
    row->region.home[row->region.home.rfind(':')] = ',';
  } else if (cell.qualifier == kStartCode) {
    VAQUITA_ASSIGN_OR_RETURN(const int64_t start_code, DecodeLong(cell.value));
    if (!row->region.home.empty()) row->region.home += "," + std::to_string(start_code);
  } else if (cell.qualifier == kSplitA || cell.qualifier == kSplitB) {
    VAQUITA_ASSIGN_OR_RETURN(RegionInfo daughter, DecodeRegionInfo(cell.value));
    row->daughters.push_back(std::move(daughter));
  } else if (cell.qualifier.substr(0, kMerge.size()) == kMerge) {
    VAQUITA_ASSIGN_OR_RETURN(RegionInfo parent, DecodeRegionInfo(cell.value));
    row->merge_parents.push_back(std::move(parent));
  }
  return absl::OkStatus();
}

// Reads a row of a table's state or of a region into `*contents`. NotFound: it has cells of a region, and does not say
// of which.
absl::Status ReadRow(const ResultBatch& batch, const ResultRange& result, MetaTable::Contents* contents) {
  MetaTable::Row row;
  bool has_info = false;
  bool is_region = false;
  for (size_t i = result.first; i < result.first + result.count; ++i) {
    const CellView cell = batch.cells[i];
    row.key = cell.row;
    if (cell.family == kTable && cell.qualifier == kState) {
      VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableName::Parse(cell.row));
      VAQUITA_ASSIGN_OR_RETURN(const TableState state, DecodeTableState(cell.value));
      contents->states[table] = state;
    } else if (cell.family == kInfo) {
      has_info = true;
      is_region = is_region || cell.qualifier == kRegionInfo;
      VAQUITA_RETURN_IF_ERROR(Annotate(ReadRegionCell(cell, &row), "column info:" + ToStringBinary(cell.qualifier)));
    }
  }
  if (!is_region) return has_info ? absl::NotFoundError("it has no info:regioninfo") : absl::OkStatus();
  const bool is_somewhere = row.region.state == RegionState::kOpen || row.region.state == RegionState::kOpening;
  if (!is_somewhere) row.region.server_name.clear();
  contents->regions.push_back(std::move(row));
  return absl::OkStatus();
}

}  // namespace

std::optional<RegionState> ParseRegionState(std::string_view text) {
  for (RegionState state :
       {RegionState::kOffline, RegionState::kOpening, RegionState::kOpen, RegionState::kClosing, RegionState::kClosed,
        RegionState::kSplitting, RegionState::kSplit, RegionState::kMerging, RegionState::kMerged,
        RegionState::kFailedOpen, RegionState::kSplittingNew, RegionState::kMergingNew}) {
    if (RegionStateName(state) == text) return state;
  }
  for (const std::string_view other : {"FAILED_CLOSE", "ABNORMALLY_CLOSED", "PENDING_OPEN", "PENDING_CLOSE"}) {
    if (other == text) return RegionState::kOffline;
  }
  return std::nullopt;
}

bool IsHostAndPort(std::string_view text) {
  const size_t colon = text.rfind(':');
  int32_t port = 0;
  return colon != std::string_view::npos && colon > 0 && text.find(',') == std::string_view::npos &&
         absl::SimpleAtoi(absl::string_view(text.data() + colon + 1, text.size() - colon - 1), &port) && port >= 0 &&
         port <= 65535;
}

Mutation& MetaEdit::PutFor(const std::string& row) {
  if (!mutations_.empty() && mutations_.back().row == row && mutations_.back().type == MutationType::kPut) {
    return mutations_.back();
  }
  Mutation put;
  put.row = row;
  return mutations_.emplace_back(std::move(put));
}

void MetaEdit::PutRegion(const RegionInfo& info, RegionState state, std::string_view server_name) {
  PutAssignment(info, state, server_name, "");
}

void MetaEdit::PutAssignment(const RegionInfo& info, RegionState state, std::string_view home,
                             std::string_view target) {
  Mutation& put = PutFor(info.Name());
  put.cells.push_back(MakeCell(kInfo, kRegionInfo, EncodeRegionInfo(info)));
  put.cells.push_back(MakeCell(kInfo, kState, std::string(RegionStateName(state))));
  if (const std::string_view name = target.empty() ? home : target; !name.empty()) {
    put.cells.push_back(MakeCell(kInfo, kServerName, std::string(name)));
  }
  if (home.empty()) return;
  const ServerName server = ServerName::Parse(home).value_or(ServerName{.host = std::string(home)});
  put.cells.push_back(MakeCell(kInfo, kServer, server.Address()));
  put.cells.push_back(MakeCell(kInfo, kStartCode, EncodeLong(server.start_code)));
  put.cells.push_back(MakeCell(kInfo, kSeqNum, EncodeLong(kOpenSeqNum)));
}

void MetaEdit::PutSplitParent(const RegionInfo& parent, const RegionInfo& a, const RegionInfo& b) {
  RegionInfo offline = parent;
  offline.offline = true;
  offline.split = true;
  PutRegion(offline, RegionState::kSplit, "");
  Mutation& put = PutFor(parent.Name());
  put.cells.push_back(MakeCell(kInfo, kSplitA, EncodeRegionInfo(a)));
  put.cells.push_back(MakeCell(kInfo, kSplitB, EncodeRegionInfo(b)));
}

void MetaEdit::PutMergeParents(const RegionInfo& merged, const std::vector<RegionInfo>& parents) {
  Mutation& put = PutFor(merged.Name());
  for (size_t i = 0; i < parents.size(); ++i) {
    put.cells.push_back(MakeCell(kInfo, MergeQualifier(i), EncodeRegionInfo(parents[i])));
  }
}

void MetaEdit::DeleteMergeParents(const RegionInfo& merged, size_t parents) {
  Mutation del;
  del.type = MutationType::kDelete;
  del.row = merged.Name();
  for (size_t i = 0; i < parents; ++i) {
    del.cells.push_back(MakeCell(kInfo, MergeQualifier(i), "", CellType::kDeleteColumn));
  }
  mutations_.push_back(std::move(del));
}

void MetaEdit::DeleteRegion(const RegionInfo& info) { DeleteRow(info.Name()); }

void MetaEdit::DeleteRow(std::string_view key) {
  Mutation del;
  del.type = MutationType::kDelete;
  del.row = key;
  mutations_.push_back(std::move(del));
}

void MetaEdit::PutTableState(const TableName& table, TableState state) {
  PutFor(table.ToString()).cells.push_back(MakeCell(kTable, kState, EncodeTableState(state)));
}

void MetaEdit::DeleteTableState(const TableName& table) {
  Mutation del;
  del.type = MutationType::kDelete;
  del.row = table.ToString();
  del.cells.push_back(MakeCell(kTable, kState, "", CellType::kDeleteColumn));
  mutations_.push_back(std::move(del));
}

const RegionInfo& MetaTable::Info() {
  static const RegionInfo info{.table = kMetaTableName, .start_key = "", .end_key = "", .id = 1};
  return info;
}

std::shared_ptr<const TableDescriptor> MetaTable::Descriptor() {
  auto table = std::make_shared<TableDescriptor>();
  table->name = kMetaTableName;
  table->families["info"] = MetaFamily(kInfo, 3);
  table->families["rep_barrier"] = MetaFamily("rep_barrier", std::numeric_limits<int32_t>::max());
  table->families["rep_barrier"].block_size_bytes = 65536;
  table->families["table"] = MetaFamily(kTable, 3);
  return table;
}

absl::StatusOr<std::unique_ptr<MetaTable>> MetaTable::Open(std::shared_ptr<Region> region, Clock* clock) {
  auto meta = std::unique_ptr<MetaTable>(new MetaTable(std::move(region), clock));
  VAQUITA_RETURN_IF_ERROR(ObserveAll(*meta->region_, &meta->clock_));
  return meta;
}

absl::Status MetaTable::Apply(MetaEdit edit) {
  const int64_t timestamp_ms = clock_.NextMs();
  std::vector<const Mutation*> mutations;
  for (Mutation& mutation : edit.mutations_) {
    mutation.timestamp_ms = timestamp_ms;
    for (Cell& cell : mutation.cells) cell.timestamp_ms = timestamp_ms;
    mutations.push_back(&mutation);
  }
  for (const absl::Status& status : region_->MutateBatch(mutations)) {
    VAQUITA_RETURN_IF_ERROR(Annotate(status, "edit hbase:meta"));
  }
  return absl::OkStatus();
}

absl::StatusOr<MetaTable::Contents> MetaTable::Read(const RowRange& rows, std::vector<BadRow>* bad) {
  Scan scan;
  scan.rows = rows;
  VAQUITA_ASSIGN_OR_RETURN(ResultBatch batch, ScanAll(*region_, scan));
  Contents contents;
  for (const ResultRange& result : batch.results) {
    const absl::Status read = ReadRow(batch, result, &contents);
    if (!read.ok() && bad != nullptr) bad->push_back({std::string(batch.cells[result.first].row), read});
  }
  return contents;
}

absl::StatusOr<MetaTable::Contents> MetaTable::Load() { return Read(RowRange{}, nullptr); }

absl::StatusOr<MetaTable::Contents> MetaTable::LoadReadable(std::vector<BadRow>* bad) { return Read(RowRange{}, bad); }

absl::StatusOr<std::vector<MetaTable::Row>> MetaTable::LoadTable(const TableName& table) {
  // Region rows of "t" begin with "t,"; '-' follows ','.
  VAQUITA_ASSIGN_OR_RETURN(Contents contents, Read({table.ToString() + ",", table.ToString() + "-"}, nullptr));
  return std::move(contents.regions);
}

}  // namespace vaquita

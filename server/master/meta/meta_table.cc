#include "server/master/meta/meta_table.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "absl/strings/numbers.h"
#include "base/host_port.h"
#include "base/status.h"
#include "model/row_after_prefix.h"
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
constexpr std::string_view kOfReplicas[] = {kServer, kStartCode, kServerName, kSeqNum, kState};
constexpr int64_t kOpenSeqNum = 2;  // HBase gives it to a new region
constexpr int32_t kRowsAtOnce = 16;

Cell MakeCell(std::string_view family, std::string_view qualifier, std::string value, CellType type = CellType::kPut) {
  Cell cell;
  cell.family = family;
  cell.qualifier = qualifier;
  cell.value = std::move(value);
  cell.type = type;
  return cell;
}

Mutation MakeDelete(std::string_view row) {
  Mutation del;
  del.type = MutationType::kDelete;
  del.row = row;
  return del;
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
    if (!state.has_value()) return NotReadable(cell, "not the state of a region");
    row->region.state = *state;
  } else if (cell.qualifier == kServerName) {
    row->region.server_name = cell.value;
  } else if (cell.value.empty() && (cell.qualifier == kServer || cell.qualifier == kStartCode)) {
    row->region.home.clear();              // as in HBase, an empty value means: no server
  } else if (cell.qualifier == kServer) {  // the start code's column comes next
    if (!IsHostAndPort(cell.value)) return NotReadable(cell, "not host:port");
    row->region.home = HostIn(cell.value) + "," + std::to_string(PortIn(cell.value));
  } else if (cell.qualifier == kStartCode) {
    VAQUITA_ASSIGN_OR_RETURN(const int64_t start_code, DecodeLong(cell.value));
    if (!row->region.home.empty()) row->region.home += "," + std::to_string(start_code);
  } else if (cell.qualifier == kSplitA || cell.qualifier == kSplitB) {
    VAQUITA_ASSIGN_OR_RETURN(row->daughters.emplace_back(), DecodeRegionInfo(cell.value));
  } else if (cell.qualifier.substr(0, kMerge.size()) == kMerge) {
    VAQUITA_ASSIGN_OR_RETURN(row->merge_parents.emplace_back(), DecodeRegionInfo(cell.value));
  }
  return absl::OkStatus();
}

RowRange RegionRows(const TableName& table) { return RowsWithPrefix(table.ToString() + ","); }

bool IsReplicaColumn(std::string_view qualifier) {
  const std::string_view primary = PrimaryColumn(qualifier);
  return !primary.empty() && primary != qualifier;
}

// Returns the table of the region whose row it is; an invalid name if it is not the row of a region.
TableName TableOfRow(std::string_view row) {
  const auto table = TableName::Parse(row.substr(0, row.find(',')));
  return table.ok() ? *table : TableName();
}

// Adds to the row of a region the columns of its replicas from 1 on, which are as the primary's in `cells`.
void PutReplicas(int32_t replicas, std::vector<Cell>* cells) {
  const size_t primary_cells = cells->size();
  for (int32_t id = 1; id < replicas; ++id) {
    for (size_t i = 0; i < primary_cells; ++i) {
      const std::string qualifier = (*cells)[i].qualifier;
      if ((*cells)[i].family != kInfo || PrimaryColumn(qualifier).empty()) continue;  // table:state is a table's
      cells->push_back(MakeCell(kInfo, qualifier + ReplicaSuffix(id), (*cells)[i].value));
    }
  }
}

bool IsSplitParent(const std::vector<Cell>& cells) {
  return std::any_of(cells.begin(), cells.end(), [](const Cell& cell) { return cell.qualifier == kSplitA; });
}

// Adds what makes the replicas' columns of one row right to `*mutations`.
void AlignRow(const ResultBatch& batch, const ResultRange& result, int32_t replicas, std::vector<Mutation>* mutations) {
  std::vector<Cell> wanted;
  std::map<std::string, std::string> present;
  for (size_t i = result.first; i < result.first + result.count; ++i) {
    const CellView cell = batch.cells[i];
    if (cell.family != kInfo) continue;
    if (IsReplicaColumn(cell.qualifier)) {
      present.emplace(cell.qualifier, cell.value);
    } else {
      wanted.push_back(MakeCell(kInfo, cell.qualifier, std::string(cell.value)));
    }
  }
  if (IsSplitParent(wanted)) replicas = 1;
  PutReplicas(replicas, &wanted);
  const std::string row(batch.cells[result.first].row);
  Mutation put;
  put.row = row;
  for (Cell& cell : wanted) {
    if (!IsReplicaColumn(cell.qualifier)) continue;
    const auto it = present.find(cell.qualifier);
    const bool is_right = it != present.end() && it->second == cell.value;
    if (it != present.end()) present.erase(it);
    if (!is_right) put.cells.push_back(std::move(cell));
  }
  Mutation del = MakeDelete(row);
  for (const auto& [qualifier, value] : present) {
    del.cells.push_back(MakeCell(kInfo, qualifier, "", CellType::kDeleteColumn));
  }
  if (!put.cells.empty()) mutations->push_back(std::move(put));
  if (!del.cells.empty()) mutations->push_back(std::move(del));
}

// Reads a row of a table's state or of a region into `*contents`. NotFound if it has cells of a region, but does not
// name the region.
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
      row.has_replicas = row.has_replicas || IsReplicaColumn(cell.qualifier);
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

std::string_view PrimaryColumn(std::string_view qualifier) {
  constexpr size_t kSuffix = 5;  // "_0001"
  if (qualifier.size() > kSuffix && qualifier[qualifier.size() - kSuffix] == '_') {
    const std::string_view digits = qualifier.substr(qualifier.size() - kSuffix + 1);
    if (digits.find_first_not_of("0123456789ABCDEF") == digits.npos) qualifier.remove_suffix(kSuffix);
  }
  const auto* const known = std::find(std::begin(kOfReplicas), std::end(kOfReplicas), qualifier);
  return known == std::end(kOfReplicas) ? std::string_view() : *known;
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
  Mutation del = MakeDelete(merged.Name());
  for (size_t i = 0; i < parents; ++i) {
    del.cells.push_back(MakeCell(kInfo, MergeQualifier(i), "", CellType::kDeleteColumn));
  }
  mutations_.push_back(std::move(del));
}

void MetaEdit::DeleteRegion(const RegionInfo& info) { DeleteRow(info.Name()); }

void MetaEdit::DeleteRow(std::string_view key) { mutations_.push_back(MakeDelete(key)); }

void MetaEdit::PutTableState(const TableName& table, TableState state) {
  PutFor(table.ToString()).cells.push_back(MakeCell(kTable, kState, EncodeTableState(state)));
}

void MetaEdit::DeleteTableState(const TableName& table) {
  Mutation del = MakeDelete(table.ToString());
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

int32_t MetaTable::ReplicationOf(const TableName& table) const {
  const auto it = replication_.find(table);
  return it == replication_.end() ? 1 : it->second;
}

void MetaTable::SetReplication(const TableName& table, int32_t replicas) {
  std::unique_lock lock(edits_mutex_);
  if (replicas > 1) {
    replication_[table] = replicas;
  } else {
    replication_.erase(table);
  }
}

absl::Status MetaTable::AlignReplicas(const TableName& table) {
  std::unique_lock lock(edits_mutex_);
  Scan scan;
  scan.rows = RegionRows(table);
  VAQUITA_ASSIGN_OR_RETURN(const ResultBatch batch, ScanAll(*region_, scan));
  std::vector<Mutation> mutations;
  for (const ResultRange& result : batch.results) AlignRow(batch, result, ReplicationOf(table), &mutations);
  return mutations.empty() ? absl::OkStatus() : Write(std::move(mutations));
}

// A split parent is read no more, so its replicas go (AssignmentManagerUtil.removeNonDefaultReplicas).
void MetaTable::AddReplicas(MetaEdit* edit) const {
  if (replication_.empty()) return;
  std::vector<Mutation> removals;
  for (Mutation& mutation : edit->mutations_) {
    if (mutation.type != MutationType::kPut) continue;
    const int32_t replicas = ReplicationOf(TableOfRow(mutation.row));
    if (replicas == 1) continue;
    if (!IsSplitParent(mutation.cells)) {
      PutReplicas(replicas, &mutation.cells);
      continue;
    }
    Mutation& del = removals.emplace_back(MakeDelete(mutation.row));
    for (int32_t id = 1; id < replicas; ++id) {
      for (const std::string_view column : kOfReplicas) {
        del.cells.push_back(MakeCell(kInfo, std::string(column) + ReplicaSuffix(id), "", CellType::kDeleteColumn));
      }
    }
  }
  for (Mutation& removal : removals) edit->mutations_.push_back(std::move(removal));
}

absl::Status MetaTable::Apply(MetaEdit edit) {
  std::shared_lock lock(edits_mutex_);
  AddReplicas(&edit);
  return Write(std::move(edit.mutations_));
}

absl::Status MetaTable::Write(std::vector<Mutation> mutations) {
  const int64_t timestamp_ms = clock_.NextMs();
  for (Mutation& mutation : mutations) {
    mutation.durability = Durability::kFsyncWal;  // a synced write to a region is lost if its region's row is
    mutation.timestamp_ms = timestamp_ms;
    for (Cell& cell : mutation.cells) cell.timestamp_ms = timestamp_ms;
  }
  return Annotate(region_->MutateRows(mutations, {}).status(), "edit hbase:meta");
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

absl::StatusOr<MetaTable::Contents> MetaTable::Load(std::vector<BadRow>* bad) { return Read(RowRange{}, bad); }

absl::StatusOr<std::vector<MetaTable::Row>> MetaTable::LoadTable(const TableName& table, std::vector<BadRow>* bad) {
  VAQUITA_ASSIGN_OR_RETURN(Contents contents, Read(RegionRows(table), bad));
  return std::move(contents.regions);
}

absl::StatusOr<bool> MetaTable::HasRegion(const std::function<bool(const RegionInfo&)>& is_one) {
  VAQUITA_ASSIGN_OR_RETURN(const auto scanner, region_->NewScanner(Scan{}));
  for (bool more = true; more;) {
    ResultBatch batch;
    VAQUITA_ASSIGN_OR_RETURN(more, scanner->Next({.max_results = kRowsAtOnce}, &batch));
    Contents contents;
    for (const ResultRange& result : batch.results) ReadRow(batch, result, &contents).IgnoreError();
    for (const Row& row : contents.regions) {
      if (is_one(row.region.info)) return true;
    }
  }
  return false;
}

}  // namespace vaquita

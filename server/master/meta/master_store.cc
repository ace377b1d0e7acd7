#include "server/master/meta/master_store.h"

#include <cstdio>
#include <random>
#include <utility>

#include "base/log.h"
#include "base/status.h"
#include "base/whole_number.h"
#include "model/row_after_prefix.h"
#include "proto/hbase/stored_values.h"
#include "server/master/meta/scan_all.h"

namespace vaquita {
namespace {

constexpr std::string_view kFamily = "info";
constexpr std::string_view kTableRowPrefix = "table/";
constexpr std::string_view kRestoreRowPrefix = "restore/";
constexpr std::string_view kDeadRowPrefix = "dead/";
constexpr std::string_view kDrainingRowPrefix = "draining/";
constexpr std::string_view kClosedRowPrefix = "closed/";
constexpr std::string_view kPeerRowPrefix = "peer/";
constexpr std::string_view kClusterRow = "cluster";
constexpr std::string_view kProcedureRow = "procedure";
constexpr std::string_view kProcedureRowPrefix = "procedure/";

std::string TableRow(const TableName& table) { return std::string(kTableRowPrefix) + table.ToString(); }
std::string ProcedureRow(int64_t id) { return std::string(kProcedureRowPrefix) + std::to_string(id); }
std::string PeerRow(const std::string& id) { return std::string(kPeerRowPrefix) + id; }
std::string RestoreRow(const TableName& table) { return std::string(kRestoreRowPrefix) + table.ToString(); }

std::string_view PrefixOf(MasterStore::ServerMark mark) {
  switch (mark) {
    case MasterStore::ServerMark::kDead:
      return kDeadRowPrefix;
    case MasterStore::ServerMark::kDraining:
      return kDrainingRowPrefix;
    case MasterStore::ServerMark::kClosed:
      break;
  }
  return kClosedRowPrefix;
}

// A number as this store writes it.
absl::StatusOr<int64_t> ReadNumber(std::string_view text, std::string_view what) {
  int64_t number = 0;
  if (ReadWholeNumber(text, &number)) return number;
  return Error(ErrorKind::kDeserialization,
               "master:store: " + std::string(what) + " must be a number, and is '" + ToStringBinary(text) + "'");
}

// A table whose descriptor cannot be read is as one without.
void PassOver(const CellView& cell, const absl::Status& why) {
  spdlog::error("row {} of master:store cannot be read, and is passed over: {}", ToStringBinary(cell.row),
                why.ToString());
}

// A random UUID, which is what HBase's cluster id is.
std::string NewClusterId() {
  std::random_device random;
  const uint32_t a = random(), b = random(), c = random(), d = random();
  char text[37];
  std::snprintf(text, sizeof text, "%08x-%04x-4%03x-%04x-%04x%08x", a, b >> 16, b & 0xfff,
                0x8000 | ((c >> 16) & 0x3fff), c & 0xffff, d);
  return text;
}

}  // namespace

const RegionInfo& MasterStore::Info() {
  static const RegionInfo info{.table = {"master", "store"}, .start_key = "", .end_key = "", .id = 1};
  return info;
}

std::shared_ptr<const TableDescriptor> MasterStore::Descriptor() {
  auto table = std::make_shared<TableDescriptor>();
  table->name = Info().table;
  table->families["info"].name = kFamily;
  table->attributes["hbase.server.keyvalue.maxsize"] = "0";  // the master's own records must not fail by a setting
  return table;
}

absl::StatusOr<std::unique_ptr<MasterStore>> MasterStore::Load(std::shared_ptr<Region> region, Clock* clock) {
  auto store = std::unique_ptr<MasterStore>(new MasterStore(std::move(region), clock));
  VAQUITA_RETURN_IF_ERROR(ObserveAll(*store->region_, &store->clock_));
  VAQUITA_RETURN_IF_ERROR(store->LoadDescriptors());
  VAQUITA_RETURN_IF_ERROR(store->LoadRestorations());
  VAQUITA_ASSIGN_OR_RETURN(store->cluster_id_, store->Get(kClusterRow, "id"));
  if (store->cluster_id_.empty()) {
    store->cluster_id_ = NewClusterId();
    VAQUITA_RETURN_IF_ERROR(store->Put(std::string(kClusterRow), {{"id", store->cluster_id_}}));
  }
  return store;
}

absl::Status MasterStore::LoadDescriptors() {
  Scan scan;
  scan.rows = RowsWithPrefix(kTableRowPrefix);
  VAQUITA_ASSIGN_OR_RETURN(const ResultBatch batch, ScanAll(*region_, scan));
  for (size_t i = 0; i < batch.cells.size(); ++i) {
    auto table = DecodeTableDescriptor(batch.cells[i].value);
    if (!table.ok()) {
      PassOver(batch.cells[i], table.status());
      continue;
    }
    const TableName name = table->name;
    descriptors_[name] = std::make_shared<const TableDescriptor>(*std::move(table));
  }
  return absl::OkStatus();
}

absl::Status MasterStore::LoadRestorations() {
  Scan scan;
  scan.rows = RowsWithPrefix(kRestoreRowPrefix);
  VAQUITA_ASSIGN_OR_RETURN(const ResultBatch batch, ScanAll(*region_, scan));
  for (const ResultRange& row : batch.results) {
    Restoration& restoration = restorations_.emplace_back();
    for (size_t i = row.first; i < row.first + row.count; ++i) {
      const CellView cell = batch.cells[i];
      if (cell.qualifier == "id") {
        VAQUITA_ASSIGN_OR_RETURN(restoration.region_id,
                                 ReadNumber(cell.value, "the id of " + ToStringBinary(cell.row)));
        continue;
      }
      auto table = DecodeTableDescriptor(cell.value);
      if (!table.ok()) {
        PassOver(cell, table.status());
        continue;
      }
      restoration.table = std::make_shared<const TableDescriptor>(*std::move(table));
    }
    if (restoration.table == nullptr) restorations_.pop_back();
  }
  return absl::OkStatus();
}

absl::Status MasterStore::SetClusterId(const std::string& id) {
  VAQUITA_RETURN_IF_ERROR(Put(std::string(kClusterRow), {{"id", id}}));
  cluster_id_ = id;
  return absl::OkStatus();
}

absl::StatusOr<int64_t> MasterStore::NextEpoch() {
  VAQUITA_ASSIGN_OR_RETURN(const int64_t last, Add(kClusterRow, "epoch", 0, 1));
  return last + 1;
}

absl::StatusOr<int64_t> MasterStore::ReserveProcedureIds(int64_t count) { return Add(kProcedureRow, "next", 1, count); }

absl::StatusOr<int64_t> MasterStore::Add(std::string_view row, std::string_view qualifier, int64_t start,
                                         int64_t amount) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string text, Get(row, qualifier));
  int64_t number = start;
  if (!text.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(number, ReadNumber(text, std::string(row) + "'s " + std::string(qualifier)));
  }
  VAQUITA_RETURN_IF_ERROR(Put(std::string(row), {{std::string(qualifier), std::to_string(number + amount)}}));
  return number;
}

absl::Status MasterStore::PutDescriptor(const TableDescriptor& table, Durability durability) {
  const std::vector<Mutation> both = {
      PutOf(TableRow(table.name), {{"schema", EncodeTableDescriptor(table)}}, durability),
      DeleteOf(RestoreRow(table.name), durability)};
  return Annotate(region_->MutateRows(both, {}).status(), "master:store");
}

absl::Status MasterStore::DeleteDescriptor(const TableName& table) {
  return Delete(TableRow(table), Durability::kSyncWal);
}

absl::Status MasterStore::PutRestoration(const TableDescriptor& table, int64_t region_id) {
  return Put(RestoreRow(table.name), {{"schema", EncodeTableDescriptor(table)}, {"id", std::to_string(region_id)}});
}

absl::Status MasterStore::DeleteRestoration(const TableName& table) { return Delete(RestoreRow(table)); }

absl::Status MasterStore::MarkServer(std::string_view server, ServerMark mark, bool on) {
  std::string row = std::string(PrefixOf(mark)) + std::string(server);
  return on ? Put(std::move(row), {{"is", "true"}}) : Delete(std::move(row));
}

absl::StatusOr<std::vector<std::string>> MasterStore::MarkedServers(ServerMark mark) {
  Scan scan;
  scan.rows = RowsWithPrefix(PrefixOf(mark));
  VAQUITA_ASSIGN_OR_RETURN(const ResultBatch batch, ScanAll(*region_, scan));
  std::vector<std::string> servers;
  for (size_t i = 0; i < batch.cells.size(); ++i) {
    servers.emplace_back(batch.cells[i].row.substr(PrefixOf(mark).size()));
  }
  return servers;
}

absl::Status MasterStore::PutProcedure(int64_t id, const Columns& columns) {
  return Put(ProcedureRow(id), columns, Durability::kSyncWal);
}

absl::Status MasterStore::ReplaceProcedure(int64_t id, const Columns& columns) {
  std::vector<Mutation> both = {DeleteOf(ProcedureRow(id), Durability::kSyncWal)};
  both.push_back(PutOf(ProcedureRow(id), columns, Durability::kSyncWal));  // its timestamp is the later one
  return Annotate(region_->MutateRows(both, {}).status(), "master:store");
}

absl::Status MasterStore::DeleteProcedure(int64_t id) { return Delete(ProcedureRow(id), Durability::kSyncWal); }

absl::StatusOr<std::map<int64_t, MasterStore::Columns>> MasterStore::Procedures() {
  Scan scan;
  scan.rows = RowsWithPrefix(kProcedureRowPrefix);
  VAQUITA_ASSIGN_OR_RETURN(const ResultBatch batch, ScanAll(*region_, scan));
  std::map<int64_t, Columns> procedures;
  for (size_t i = 0; i < batch.cells.size(); ++i) {
    const CellView cell = batch.cells[i];
    const auto id = ReadNumber(cell.row.substr(kProcedureRowPrefix.size()), "a procedure");
    if (id.ok()) {
      procedures[*id].emplace(cell.qualifier, cell.value);
    } else {
      PassOver(cell, id.status());
    }
  }
  return procedures;
}

absl::StatusOr<bool> MasterStore::GetSwitch(std::string_view name, bool otherwise) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string text, Get(kClusterRow, name));
  return text.empty() ? otherwise : text == "true";
}

absl::Status MasterStore::SetSwitch(std::string_view name, bool on) {
  return Put(std::string(kClusterRow), {{std::string(name), on ? "true" : "false"}});
}

absl::Status MasterStore::PutReplicationPeer(const std::string& id, const ReplicationPeer& peer) {
  return Put(PeerRow(id), {{"config", peer.config}, {"enabled", peer.enabled ? "true" : "false"}});
}

absl::Status MasterStore::DeleteReplicationPeer(const std::string& id) { return Delete(PeerRow(id)); }

absl::StatusOr<std::map<std::string, MasterStore::ReplicationPeer>> MasterStore::LoadReplicationPeers() {
  Scan scan;
  scan.rows = RowsWithPrefix(kPeerRowPrefix);
  VAQUITA_ASSIGN_OR_RETURN(const ResultBatch batch, ScanAll(*region_, scan));
  std::map<std::string, ReplicationPeer> peers;
  for (size_t i = 0; i < batch.cells.size(); ++i) {
    const CellView cell = batch.cells[i];
    ReplicationPeer& peer = peers[std::string(cell.row.substr(kPeerRowPrefix.size()))];
    if (cell.qualifier == "config") peer.config = cell.value;
    if (cell.qualifier == "enabled") peer.enabled = cell.value == "true";
  }
  return peers;
}

Mutation MasterStore::PutOf(std::string row, const Columns& columns, Durability durability) {
  Mutation put;
  put.durability = durability;
  put.row = std::move(row);
  const int64_t timestamp_ms = clock_.NextMs();
  for (const auto& [qualifier, value] : columns) {
    Cell cell;
    cell.family = kFamily;
    cell.qualifier = qualifier;
    cell.timestamp_ms = timestamp_ms;
    cell.value = value;
    put.cells.push_back(std::move(cell));
  }
  return put;
}

Mutation MasterStore::DeleteOf(std::string row, Durability durability) {
  Mutation del;
  del.durability = durability;
  del.type = MutationType::kDelete;
  del.row = std::move(row);
  del.timestamp_ms = clock_.NextMs();
  return del;
}

absl::Status MasterStore::Put(std::string row, const Columns& columns, Durability durability) {
  return Annotate(region_->Mutate(PutOf(std::move(row), columns, durability)).status(), "master:store");
}

absl::Status MasterStore::Delete(std::string row, Durability durability) {
  return Annotate(region_->Mutate(DeleteOf(std::move(row), durability)).status(), "master:store");
}

absl::StatusOr<std::string> MasterStore::Get(std::string_view row, std::string_view qualifier) {
  vaquita::Get get;
  get.row = row;
  get.columns[std::string(kFamily)] = {std::string(qualifier)};
  CellBlock cells;
  VAQUITA_RETURN_IF_ERROR(Annotate(region_->Get(get, &cells), "master:store"));
  return cells.empty() ? std::string() : std::string(cells[0].value);
}

}  // namespace vaquita

#include "server/master/master.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <limits>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/chore.h"
#include "base/log.h"
#include "base/options.h"
#include "base/status.h"
#include "base/version.h"
#include "model/request_check.h"
#include "model/server_name.h"
#include "model/split_algorithm.h"
#include "model/store_file_tracker.h"
#include "region/known_stores.h"
#include "region/split.h"
#include "server/fsck/root_check.h"
#include "server/master/assignment/assignment_journal.h"
#include "server/master/assignment/assignment_manager.h"
#include "server/master/assignment/state_machine/region_placement.h"
#include "server/master/balanced_cluster.h"
#include "server/master/cluster_balancer.h"
#include "server/master/cluster_check.h"
#include "server/master/cluster_normalizer.h"
#include "server/master/master_metrics.h"
#include "server/master/meta/meta_region.h"
#include "server/master/meta/own_server.h"
#include "server/master/procedure/descriptor_check.h"
#include "server/master/procedure/master_parts.h"
#include "server/master/procedure/procedure_executor.h"
#include "server/master/procedure/procedure_nonces.h"
#include "server/master/procedure/procedure_store.h"
#include "server/master/procedure/region_procedures.h"
#include "server/master/procedure/regions_by_server.h"
#include "server/master/procedure/snapshots.h"
#include "server/master/procedure/startup_repair.h"
#include "server/master/procedure/table_procedures.h"
#include "server/master/procedure/table_regions.h"

namespace vaquita {
namespace {

constexpr auto kJanitorInterval = std::chrono::minutes(5);     // hbase.catalogjanitor.interval
constexpr auto kQuotaNotesInterval = std::chrono::minutes(1);  // hbase.master.quotas.observer.chore.period
constexpr int64_t kMostMetaInLogBytes = kMiB;

// In the order of MasterSwitch: the names under which they are stored.
constexpr std::string_view kSwitchNames[] = {"split",           "merge",   "balancer",         "normalizer",
                                             "catalog_janitor", "cleaner", "snapshot_cleanup", "peer_modification"};
static_assert(std::size(kSwitchNames) == static_cast<size_t>(MasterSwitch::kPeerModification) + 1, "a name each");

// A server that outlives its use.
std::shared_ptr<RegionServerControl> NotOwned(RegionServer* server) { return {std::shared_ptr<void>(), server}; }

// Returns the time, in ms, of the oldest last major compaction among the region's stores; 0 if none was compacted.
int64_t LastMajorCompactionOf(const RegionMetrics& region) {
  int64_t oldest_ms = 0;
  for (const auto& store : region.stores) {
    const int64_t at_ms = store.metrics.last_major_compaction_ms;
    if (at_ms != 0 && (oldest_ms == 0 || at_ms < oldest_ms)) oldest_ms = at_ms;
  }
  return oldest_ms;
}

using Kept = KeptProcedure::Kind;

// Returns the address in a server's name; the whole name if it has none.
std::string AddressIn(const std::string& server_name) {
  const auto name = ServerName::Parse(server_name);
  return name.ok() ? name->Address() : server_name;
}

// Returns whether a master makes its first records in `db`.
bool IsNew(const StoreDb& db) {
  const auto table = MasterStore::Descriptor();
  return db.Find(Region::StoreName(MasterStore::Info().EncodedName(), table->families.begin()->first)) == nullptr;
}

}  // namespace

Master::Master(const MasterOptions& options)
    : parts_(options),
      nonces_(options.clock, [this](int64_t id) { return procedures_->Keeps(id); }),
      balancer_(&cluster_, options.options, options.clock),
      normalizer_(this, options.options, options.clock) {}

absl::Status Master::Start() {
  VAQUITA_RETURN_IF_ERROR(OpenOwnRegions());
  const MasterOptions& options = parts_.options;
  VAQUITA_RETURN_IF_ERROR(CheckMetaIsNotEmptied(options.root, *parts_.meta));
  VAQUITA_RETURN_IF_ERROR(NameOldStandaloneFolder(options.root, parts_.meta.get()));
  if (!options.own_server.empty()) {
    VAQUITA_RETURN_IF_ERROR(SucceedEndedServer(options.root, options.own_server, parts_.meta.get()));
  }
  VAQUITA_RETURN_IF_ERROR(LoadSwitches());
  VAQUITA_RETURN_IF_ERROR(Annotate(RecoverTables(parts_), "recover tables"));
  parts_.catalog.PutTable(parts_.meta->region()->table(), TableState::kEnabled,
                          {{MetaTable::Info(), RegionState::kOpen, ""}});
  if (!parts_.catalog.Contains(kNamespaceTableName)) {
    VAQUITA_RETURN_IF_ERROR(AddOwnTable(Namespaces::Info(), Namespaces::Descriptor()));
  }
  VAQUITA_RETURN_IF_ERROR(OpenQuotas());
  VAQUITA_RETURN_IF_ERROR(OpenAcl());
  parts_.db->HoldLogSyncs();  // nobody learns of the epoch before LeadCluster
  VAQUITA_ASSIGN_OR_RETURN(epoch_, parts_.store->NextEpoch());
  const auto reserve = [this] { return parts_.store->ReserveProcedureIds(ProcedureExecutor::kIdsAtATime); };
  VAQUITA_ASSIGN_OR_RETURN(const int64_t first_id, reserve());
  procedures_ = std::make_unique<ProcedureExecutor>(first_id, reserve, parts_.options.clock);
  kept_ = std::make_unique<ProcedureStore>(&parts_, procedures_.get(), &nonces_, [this] { return initialized(); });
  VAQUITA_ASSIGN_OR_RETURN(parts_.snapshots, SnapshotFolder::Open(options.root + "/snapshots"));
  snapshots_ = std::make_unique<Snapshots>(&parts_, procedures_.get(), kept_.get());
  return absl::OkStatus();
}

absl::Status Master::OpenOwnRegions() {
  const MasterOptions& options = parts_.options;
  const std::string path = options.root + "/master";
  MetaStores meta_stores(options.options);
  const std::vector<RegionOfTable> own = {{MetaTable::Info(), MetaTable::Descriptor()},
                                          {Namespaces::Info(), Namespaces::Descriptor()},
                                          {QuotaTable::Info(), QuotaTable::Descriptor()},
                                          {AclTable::Info(), AclTable::Descriptor()},
                                          {MasterStore::Info(), MasterStore::Descriptor()}};
  KnownStores known(options.options);
  for (const RegionOfTable& region : own) known.Add(region.info, *region.table);
  // Other stores stay as they are: nobody serves them, and nobody else has them.
  auto db = StoreDb::Open(
      {.path = path, .options = options.options, .clock = options.clock, .syncs = options.syncs, .refuse_damage = true},
      [&](std::string_view store) {
        auto spec = meta_stores.Find(store);
        return spec != nullptr ? std::move(spec) : known.Find(store);
      });
  VAQUITA_RETURN_IF_ERROR(MetaOpenError(db.status(), options.root));
  parts_.db = *std::move(db);
  if (IsNew(*parts_.db)) parts_.db->HoldLogSyncs();
  for (const auto& store : parts_.db->UnknownStores()) {
    spdlog::warn("store {} of {} belongs to none of the master's regions, and stays as it is", store->spec().name,
                 path);
  }
  auto store_region = Region::OpenOrCreate(parts_.db.get(), MasterStore::Info(), MasterStore::Descriptor());
  VAQUITA_RETURN_IF_ERROR(MetaOpenError(store_region.status(), options.root));
  VAQUITA_ASSIGN_OR_RETURN(parts_.store, MasterStore::Load(*store_region, options.clock));
  auto meta_region = meta_stores.OpenRegion(parts_.db.get(), *parts_.store);
  VAQUITA_RETURN_IF_ERROR(MetaOpenError(meta_region.status(), options.root));
  auto namespaces = Region::OpenOrCreate(parts_.db.get(), Namespaces::Info(), Namespaces::Descriptor());
  VAQUITA_RETURN_IF_ERROR(MetaOpenError(namespaces.status(), options.root));
  parts_.maintenance = std::make_unique<Maintenance>(parts_.db.get(), nullptr);
  for (const auto& region : {*meta_region, *namespaces, *store_region}) parts_.maintenance->Add(region);
  // Each start writes the rows of all regions anew, and the next one would read these, too, from the log.
  parts_.maintenance->FlushIfOver(*meta_region, kMostMetaInLogBytes);
  VAQUITA_ASSIGN_OR_RETURN(parts_.meta, MetaTable::Open(*meta_region, options.clock));
  VAQUITA_ASSIGN_OR_RETURN(parts_.namespaces, Namespaces::Load(*namespaces, options.clock));
  VAQUITA_ASSIGN_OR_RETURN(parts_.replication_peers, ReplicationPeers::Load(parts_.store.get()));
  return absl::OkStatus();
}

// The table stays where quotas were on once, as in HBase.
absl::Status Master::OpenQuotas() {
  const bool is_there = parts_.catalog.Contains(kQuotaTableName);
  if (!KeepsQuotas() && !is_there) return absl::OkStatus();
  VAQUITA_ASSIGN_OR_RETURN(const auto region, OpenOwnTable(QuotaTable::Info(), QuotaTable::Descriptor()));
  VAQUITA_ASSIGN_OR_RETURN(parts_.quotas, QuotaTable::Load(region, parts_.store.get(), parts_.options.clock));
  return absl::OkStatus();
}

// The table stays where users had rights once.
absl::Status Master::OpenAcl() {
  if (parts_.options.access == nullptr && !parts_.catalog.Contains(kAclTableName)) return absl::OkStatus();
  VAQUITA_ASSIGN_OR_RETURN(const auto region, OpenOwnTable(AclTable::Info(), AclTable::Descriptor()));
  VAQUITA_ASSIGN_OR_RETURN(parts_.acl, AclTable::Load(region, parts_.options.clock));
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<Region>> Master::OpenOwnTable(const RegionInfo& info,
                                                             const std::shared_ptr<const TableDescriptor>& table) {
  const bool is_there = parts_.catalog.Contains(info.table);
  if (is_there) {
    VAQUITA_ASSIGN_OR_RETURN(const auto regions, parts_.catalog.Regions(info.table));
    if (regions.size() != 1 || regions[0].info != info) {
      return absl::FailedPreconditionError("the table " + info.table.ToString() +
                                           " was made by a client, and only the master may make it: start the version "
                                           "of Vaquita that made it, and drop it");
    }
  }
  VAQUITA_ASSIGN_OR_RETURN(const auto region, Region::OpenOrCreate(parts_.db.get(), info, table));
  parts_.maintenance->Add(region);
  if (!is_there) VAQUITA_RETURN_IF_ERROR(AddOwnTable(info, table));
  return region;
}

absl::Status Master::AddOwnTable(const RegionInfo& info, const std::shared_ptr<const TableDescriptor>& table) {
  MetaEdit edit;
  edit.PutRegion(info, RegionState::kOpen, parts_.options.server_name);
  edit.PutTableState(info.table, TableState::kEnabled);
  VAQUITA_RETURN_IF_ERROR(parts_.meta->Apply(std::move(edit)));
  parts_.catalog.PutTable(table, TableState::kEnabled, {{info, RegionState::kOpen, parts_.options.server_name}});
  return absl::OkStatus();
}

std::vector<std::shared_ptr<Region>> Master::OwnRegions() const {
  std::vector<std::shared_ptr<Region>> regions = {parts_.meta->region(), parts_.namespaces->region()};
  if (parts_.quotas != nullptr) regions.push_back(parts_.quotas->region());
  if (parts_.acl != nullptr) regions.push_back(parts_.acl->region());
  return regions;
}

absl::Status Master::LoadSwitches() {
  for (size_t i = 0; i < switches_.size(); ++i) {
    VAQUITA_ASSIGN_OR_RETURN(switches_[i], parts_.store->GetSwitch(kSwitchNames[i], true));
  }
  return absl::OkStatus();
}

absl::Status Master::LeadCluster(const ClusterSide& cluster) {
  const std::string& name = cluster.host->server_name();
  MetaEdit edit;
  for (const auto& region : OwnRegions()) {
    const RegionInfo& info = region->info();
    parts_.catalog.SetRegions(info.table, {{info, RegionState::kOpen, name, name}});
    if (info.table != kMetaTableName) edit.PutRegion(info, RegionState::kOpen, name);  // nobody looks there for meta
  }
  if (parts_.acl != nullptr) {
    VAQUITA_RETURN_IF_ERROR(parts_.acl->Begin(epoch_, [this](const auto& all) { return PublishPermissions(all); }));
  }
  VAQUITA_RETURN_IF_ERROR(parts_.meta->Apply(std::move(edit)));
  VAQUITA_RETURN_IF_ERROR(parts_.db->ReleaseLogSyncs());
  VAQUITA_RETURN_IF_ERROR(StartAssignment(cluster));
  VAQUITA_RETURN_IF_ERROR(kept_->Resume([this](int64_t id, const auto& kept) { snapshots_->Know(id, kept); }));
  BeginToServe(cluster.host);
  for (const TableName& table : parts_.catalog.Tables()) VAQUITA_RETURN_IF_ERROR(CompleteIfChanging(table));
  return absl::OkStatus();
}

absl::Status Master::StartAssignment(const ClusterSide& cluster) {
  cluster_side_ = cluster;
  parts_.on_fatal = cluster.on_fatal;
  journal_ = MakeAssignmentJournal(parts_.records(), parts_.store.get(), parts_.options);
  AssignmentManagerOptions options;
  options.settings.lease_ms = parts_.options.options->server_lease_ms;
  const bool has_own_server = !parts_.options.own_server.empty();
  options.settings.min_servers = has_own_server ? 1 : parts_.options.options->servers_at_start;
  options.placement = RetainingPlacement();
  options.master_epoch = epoch_;
  options.clock = parts_.options.clock;
  options.max_clock_skew_ms = parts_.options.options->max_clock_skew_ms;
  options.journal = journal_.get();
  options.servers = &parts_.servers;
  options.connect = cluster.connect;
  options.descriptor = [this](const TableName& table) { return parts_.catalog.Descriptor(table); };
  options.request_split = [this](const RegionInfo& region) { RequestSplit(region); };
  if (parts_.options.access != nullptr) options.permissions = [this] { return parts_.acl->permissions(); };
  options.on_fatal = cluster.on_fatal;
  parts_.assigner = std::make_unique<AssignmentManager>(std::move(options));
  return parts_.assigner->Start();
}

absl::Status Master::CompleteIfChanging(const TableName& table) {
  VAQUITA_ASSIGN_OR_RETURN(const TableState state, parts_.catalog.State(table));
  if (state != TableState::kEnabling && state != TableState::kDisabling) return absl::OkStatus();
  const char* const procedure =
      state == TableState::kEnabling ? "EnableTableProcedure table=" : "DisableTableProcedure table=";
  return procedures_
      ->Submit(procedure + table.ToString(), table.ToString(),
               [this, table](Progress& progress) { return CompleteTableState(parts_, table, progress); })
      .status();
}

void Master::BeginToServe(RegionServer* host) {
  parts_.host = host;
  for (const auto& region : OwnRegions()) host->Host(region);
  serving_ = true;
  StartChores();  // they use the region servers
}

void Master::Stop() {
  parts_.stopping = true;
  balancer_.Stop();
  if (parts_.assigner != nullptr) parts_.assigner->Stop();  // waiting calls get an error
  if (procedures_ != nullptr) procedures_->Stop();          // and those that wait for procedures
  chores_.clear();
}

void Master::StartChores() {
  chores_.push_back(std::make_unique<Chore>(kJanitorInterval, [this] {
    if (!IsOn(MasterSwitch::kCatalogJanitor)) return;
    const auto cleaned = RunCatalogJanitor();
    if (!cleaned.ok()) spdlog::warn("catalog janitor: {}", cleaned.status().ToString());
  }));
  const Options& options = *parts_.options.options;
  chores_.push_back(std::make_unique<Chore>(std::chrono::milliseconds(options.snapshot_cleaner_period_ms), [this] {
    if (IsOn(MasterSwitch::kSnapshotCleanup)) snapshots_->RemoveExpired();
  }));
  chores_.push_back(std::make_unique<Chore>(balancer_.TickPeriod(), [this] { balancer_.Tick(); }));
  chores_.push_back(std::make_unique<Chore>(std::chrono::milliseconds(options.normalizer_period_ms),
                                            [this] { Normalize(ListTables(/*system=*/false)); }));
  if (!KeepsQuotas()) return;
  chores_.push_back(std::make_unique<Chore>(kQuotaNotesInterval, [this] {
    const absl::Status noted = NoteQuotaUses();
    if (!noted.ok()) spdlog::warn("the use of space by quotas is not noted: {}", noted.ToString());
  }));
}

// Clients try again. Source: HMaster.checkInitialized.
absl::Status Master::CheckInitialized() const {
  if (parts_.assigner->started()) return absl::OkStatus();
  return Error(ErrorKind::kPleaseHold, "Master is initializing");
}

absl::StatusOr<int64_t> Master::CreateTableAsync(const TableDescriptor& table,
                                                 const std::vector<std::string>& split_keys, const std::string& owner) {
  VAQUITA_RETURN_IF_ERROR(CheckInitialized());
  VAQUITA_ASSIGN_OR_RETURN(std::vector<std::string> keys, CheckSplitKeys(split_keys));
  VAQUITA_RETURN_IF_ERROR(CheckRegionCount(*parts_.options.options, table, keys.size() + 1));
  VAQUITA_RETURN_IF_ERROR(CheckCreateTable(parts_, table));
  TableDescriptor marked = table;
  marked.attributes.emplace(kStoreFileTracker, "DEFAULT");
  return kept_->Submit(
      {.kind = Kept::kCreateTable, .table = std::move(marked), .split_keys = std::move(keys), .owner = owner});
}

absl::StatusOr<int64_t> Master::DeleteTableAsync(const TableName& table) {
  VAQUITA_RETURN_IF_ERROR(CheckInitialized());
  VAQUITA_RETURN_IF_ERROR(CheckTableIsDisabled(parts_, table));
  return kept_->Submit({.kind = Kept::kDeleteTable, .table = {.name = table}});
}

absl::StatusOr<int64_t> Master::TruncateTableAsync(const TableName& table, bool preserve_splits) {
  VAQUITA_RETURN_IF_ERROR(CheckInitialized());
  VAQUITA_RETURN_IF_ERROR(CheckTruncateTable(parts_, table));
  return kept_->Submit({.kind = Kept::kTruncateTable, .table = {.name = table}, .preserve_splits = preserve_splits});
}

absl::StatusOr<int64_t> Master::EnableTableAsync(const TableName& table) {
  VAQUITA_RETURN_IF_ERROR(CheckInitialized());
  VAQUITA_RETURN_IF_ERROR(CheckEnableTable(parts_, table));
  return kept_->Submit({.kind = Kept::kEnableTable, .table = {.name = table}});
}

absl::StatusOr<int64_t> Master::DisableTableAsync(const TableName& table) {
  VAQUITA_RETURN_IF_ERROR(CheckInitialized());
  VAQUITA_RETURN_IF_ERROR(CheckDisableTable(parts_, table));
  return kept_->Submit({.kind = Kept::kDisableTable, .table = {.name = table}});
}

absl::StatusOr<int64_t> Master::ModifyTableAsync(const TableDescriptor& table) {
  VAQUITA_RETURN_IF_ERROR(CheckInitialized());
  VAQUITA_RETURN_IF_ERROR(CheckModifyTable(parts_, table));
  return kept_->Submit({.kind = Kept::kModifyTable, .table = table});
}

absl::StatusOr<int64_t> Master::ModifyTableWithoutReopenAsync(const TableName& name, const TableDescriptor& table) {
  VAQUITA_RETURN_IF_ERROR(CheckInitialized());
  VAQUITA_RETURN_IF_ERROR(CheckModifyWithoutReopen(parts_, name, table));
  return kept_->Submit({.kind = Kept::kModifyTable, .table = table});
}

absl::StatusOr<int64_t> Master::AlterTableAsync(const TableName& table, const TableChange& change) {
  VAQUITA_RETURN_IF_ERROR(CheckInitialized());
  VAQUITA_ASSIGN_OR_RETURN(const auto before, parts_.catalog.Descriptor(table));
  VAQUITA_ASSIGN_OR_RETURN(TableDescriptor after, CheckAlterTable(parts_, *before, change));
  return kept_->Submit(
      {.kind = Kept::kModifyTable, .table = std::move(after), .before = *before},
      [this, table, change](Progress& progress) { return AlterTable(parts_, table, change, progress); });
}

absl::StatusOr<int64_t> Master::FlushTableAsync(const TableName& table, const std::vector<std::string>& families) {
  VAQUITA_RETURN_IF_ERROR(CheckInitialized());
  VAQUITA_ASSIGN_OR_RETURN(const auto descriptor, parts_.catalog.Descriptor(table));
  VAQUITA_ASSIGN_OR_RETURN(const TableState state, parts_.catalog.State(table));
  if (state != TableState::kEnabled) return Error(ErrorKind::kTableNotEnabled, table.ToString());
  for (const std::string& family : families) {
    if (descriptor->FindFamily(family) != nullptr) continue;
    return Error(ErrorKind::kNoSuchColumnFamily,
                 "Column family " + family + " does not exist in table " + table.ToString());
  }
  // A region whose server dies or restarts is flushed once it is open again (FlushRegionProcedure, 2.6).
  return procedures_->Submit(
      "FlushTableProcedure table=" + table.ToString(), table.ToString(),
      [this, table, families](Progress&) { return UntilServed(parts_, [&] { return Flush(table, families); }); });
}

absl::StatusOr<int64_t> Master::SplitRegionAsync(std::string_view region, std::string_view split_row) {
  VAQUITA_RETURN_IF_ERROR(CheckInitialized());
  VAQUITA_ASSIGN_OR_RETURN(const RegionInfo info, CheckSplit(parts_, region));
  if (!split_row.empty()) VAQUITA_RETURN_IF_ERROR(CheckRowLength(split_row));
  if (!IsOn(MasterSwitch::kSplit)) {
    return Error(ErrorKind::kDoNotRetryIO,
                 "Split region " + ToStringBinary(info.Name()) + " failed due to split switch off");
  }
  return SubmitSplit(info, std::string(split_row));
}

absl::StatusOr<int64_t> Master::SubmitSplit(const RegionInfo& info, std::string split_row) {
  return procedures_->Submit(
      "SplitTableRegionProcedure table=" + info.table.ToString() + ", parent=" + info.EncodedName(),
      info.table.ToString(), [this, info, split_row = std::move(split_row)](Progress&) {
        absl::Status status = SplitRegion(parts_, info, split_row);
        std::lock_guard lock(requested_mutex_);
        requested_splits_.erase(info.EncodedName());
        return status;
      });
}

void Master::RequestSplit(const RegionInfo& info) {
  if (!serving_ || !IsOn(MasterSwitch::kSplit)) return;
  {
    std::lock_guard lock(requested_mutex_);
    if (!requested_splits_.insert(info.EncodedName()).second) return;
  }
  if (const auto id = SubmitSplit(info, ""); !id.ok()) {
    std::lock_guard lock(requested_mutex_);
    requested_splits_.erase(info.EncodedName());
  }
}

absl::StatusOr<int64_t> Master::MergeRegionsAsync(const std::vector<std::string>& regions, bool forcible) {
  VAQUITA_RETURN_IF_ERROR(CheckInitialized());
  VAQUITA_ASSIGN_OR_RETURN(std::vector<RegionInfo> infos, CheckMerge(parts_, regions));
  std::string names;
  std::string texts;
  for (const RegionInfo& info : infos) {
    names += (names.empty() ? "" : ", ") + info.EncodedName();
    texts += (texts.empty() ? "" : ", ") + RegionText(info);
  }
  if (!IsOn(MasterSwitch::kMerge)) {
    return Error(ErrorKind::kDoNotRetryIO, "Merge of [" + texts + "] failed because merge switch is off");
  }
  const std::string table = infos[0].table.ToString();
  return procedures_->Submit(
      "MergeTableRegionsProcedure table=" + table + ", regions=[" + names + "], force=" + (forcible ? "true" : "false"),
      table, [this, infos = std::move(infos), forcible](Progress&) { return MergeRegions(parts_, infos, forcible); });
}

absl::StatusOr<int64_t> Master::SubmitForRegion(std::string_view procedure, const RegionInfo& region,
                                                absl::Status (*run)(MasterParts&, const RegionInfo&)) {
  return procedures_->Submit(
      std::string(procedure) + " table=" + region.table.ToString() + ", region=" + region.EncodedName(),
      region.table.ToString(), [this, region, run](Progress&) { return run(parts_, region); });
}

absl::StatusOr<int64_t> Master::AssignRegionAsync(std::string_view region) {
  VAQUITA_RETURN_IF_ERROR(CheckInitialized());
  VAQUITA_ASSIGN_OR_RETURN(const RegionInfo info, CheckAssign(parts_, region));
  return SubmitForRegion("TransitRegionStateProcedure ASSIGN", info, &AssignRegion);
}

absl::StatusOr<int64_t> Master::UnassignRegionAsync(std::string_view region) {
  VAQUITA_RETURN_IF_ERROR(CheckInitialized());
  VAQUITA_ASSIGN_OR_RETURN(const RegionInfo info, CheckUnassign(parts_, region));
  return SubmitForRegion("TransitRegionStateProcedure UNASSIGN", info, &UnassignRegion);
}

absl::Status Master::MoveRegion(std::string_view region, std::string_view server_name,
                                std::optional<int64_t> at_most_ms, ReadWatch* watch) {
  VAQUITA_RETURN_IF_ERROR(CheckInitialized());
  VAQUITA_ASSIGN_OR_RETURN(const AssignedRegion found, parts_.catalog.FindRegion(region));
  if (!server_name.empty() && server_name == found.server_name) return absl::OkStatus();
  VAQUITA_ASSIGN_OR_RETURN(const int64_t id, SubmitMove(found.info, std::string(server_name), /*moved=*/{}));
  if (at_most_ms) {
    VAQUITA_ASSIGN_OR_RETURN(const Procedure move, procedures_->Await(id, *at_most_ms));
    if (move.state == Procedure::State::kRunning) {
      return absl::DeadlineExceededError(absl::StrCat("procedure ", id, " has not ended after ", *at_most_ms, " ms"));
    }
  }
  return Wait(id, watch);
}

absl::StatusOr<int64_t> Master::SubmitMove(const RegionInfo& region, const std::string& server_name,
                                           const std::function<void(const absl::Status&)>& moved) {
  // All replicas of a region are where the primary is, so they move as one.
  VAQUITA_ASSIGN_OR_RETURN(const RegionInfo info, CheckUnassign(parts_, ReplicaOf(region, 0).EncodedName()));
  return procedures_->Submit(
      "TransitRegionStateProcedure MOVE table=" + info.table.ToString() + ", region=" + info.EncodedName(),
      info.table.ToString(), [this, info, server_name, moved](Progress&) {
        absl::Status status = vaquita::MoveRegion(parts_, info, server_name);
        if (moved) moved(status);
        return status;
      });
}

absl::StatusOr<int64_t> Master::TruncateRegionAsync(std::string_view region) {
  VAQUITA_RETURN_IF_ERROR(CheckInitialized());
  VAQUITA_ASSIGN_OR_RETURN(const RegionInfo info, CheckTruncateRegion(parts_, region));
  return SubmitForRegion("TruncateRegionProcedure", info, &TruncateRegion);
}

absl::Status Master::OfflineRegion(std::string_view region) {
  VAQUITA_ASSIGN_OR_RETURN(const AssignedRegion found, parts_.catalog.FindRegion(region));
  if (IsMastersOwn(found.info.table)) {
    return Error(ErrorKind::kDoNotRetryIO, found.info.table.ToString() + " stays open on the master");
  }
  return parts_.catalog.SetOffline(region);
}

absl::StatusOr<int64_t> Master::EditReplicationPeersAsync(const ReplicationPeerEdit& edit) {
  VAQUITA_RETURN_IF_ERROR(CheckInitialized());
  if (!IsOn(MasterSwitch::kPeerModification)) return Error(ErrorKind::kIO, "Replication peer modification disabled");
  return procedures_->Submit(edit.procedure, "",
                             [this, run = edit.run](Progress&) { return run(parts_.replication_peers.get()); });
}

absl::Status Master::DeleteNamespace(const std::string& name) {
  VAQUITA_ASSIGN_OR_RETURN(const int64_t id, DeleteNamespaceAsync(name));
  return Wait(id);
}

absl::StatusOr<int64_t> Master::CreateNamespaceAsync(const NamespaceDescriptor& ns) {
  VAQUITA_RETURN_IF_ERROR(parts_.namespaces->CheckCreate(ns));
  return kept_->Submit({.kind = Kept::kCreateNamespace, .ns = ns});
}

absl::StatusOr<int64_t> Master::ModifyNamespaceAsync(const NamespaceDescriptor& ns) {
  VAQUITA_RETURN_IF_ERROR(parts_.namespaces->CheckModify(ns));
  return kept_->Submit({.kind = Kept::kModifyNamespace, .ns = ns});
}

absl::StatusOr<int64_t> Master::DeleteNamespaceAsync(std::string_view name) {
  VAQUITA_RETURN_IF_ERROR(parts_.namespaces->CheckDelete(name, [&] { return parts_.catalog.TablesIn(name); }));
  return kept_->Submit({.kind = Kept::kDeleteNamespace, .ns = {.name = std::string(name)}});
}

AlterProgress Master::GetAlterProgress(const TableName& table) const {
  const auto state = parts_.catalog.State(table);
  const auto regions = parts_.catalog.Regions(table);
  if (!state.ok() || !regions.ok() || *state == TableState::kDisabled) return {};
  AlterProgress progress{.regions = regions->size()};
  for (const AssignedRegion& region : *regions) progress.waiting += region.state == RegionState::kOpen ? 0 : 1;
  // Regions stay open while they take an altered descriptor.
  if (const auto alter = procedures_->FindUnfinished(table.ToString(), "ModifyTableProcedure"); alter) {
    const size_t done = alter->locked ? static_cast<size_t>(alter->steps_done) : 0;
    const size_t left = std::max<size_t>(progress.regions - std::min(done, progress.regions), 1);
    progress.waiting = std::max(progress.waiting, std::min(left, progress.regions));
  }
  return progress;
}

std::vector<TableName> Master::ListTables(bool system) const {
  std::vector<TableName> tables = parts_.catalog.Tables();
  if (!system) std::erase_if(tables, [](const TableName& table) { return table.IsSystem(); });
  return tables;
}

absl::Status Master::OnEveryRegion(const TableName& table, const std::function<absl::Status(const std::string&)>& act) {
  VAQUITA_ASSIGN_OR_RETURN(const TableState state, parts_.catalog.State(table));
  if (state != TableState::kEnabled) return Error(ErrorKind::kTableNotEnabled, table.ToString());
  VAQUITA_ASSIGN_OR_RETURN(const auto regions, parts_.catalog.Regions(table));
  for (const AssignedRegion& region : regions) {
    const std::string name = region.info.EncodedName();
    if (region.state != RegionState::kOpen && ServerOfOffline(region.info).empty()) continue;
    const absl::Status status = act(name);
    // A region that was split or merged since has had its files written by that.
    if (IsError(status, ErrorKind::kNotServingRegion) && !parts_.catalog.FindRegion(name).ok()) continue;
    VAQUITA_RETURN_IF_ERROR(status);
  }
  return absl::OkStatus();
}

absl::Status Master::Flush(const TableName& table, const std::vector<std::string>& families) {
  return OnEveryRegion(table, [&](const std::string& region) { return FlushFamilies(region, families); });
}

// The catalog has it OFFLINE without a server, and the assignment was not told.
std::string Master::ServerOfOffline(const RegionInfo& region) const {
  const auto view = parts_.assigner->Find(ReplicaOf(region, 0).EncodedName());
  return view && view->serving && view->state == RegionState::kOpen ? view->server : "";
}

absl::StatusOr<std::shared_ptr<RegionServerControl>> Master::ServerOfRegion(std::string_view name) const {
  VAQUITA_ASSIGN_OR_RETURN(AssignedRegion region, parts_.catalog.FindRegion(name));
  if (IsMastersOwn(region.info.table)) return NotOwned(parts_.host);
  if (region.server_name.empty()) region.server_name = ServerOfOffline(region.info);
  return ServerOf(parts_, region);
}

absl::Status Master::FlushFamilies(std::string_view region, const std::vector<std::string>& families) {
  VAQUITA_ASSIGN_OR_RETURN(const auto server, ServerOfRegion(region));
  return server->FlushRegion(region, families);
}

absl::Status Master::CompactRegion(std::string_view region, std::string_view family, CompactionKind kind, bool wait) {
  VAQUITA_ASSIGN_OR_RETURN(const auto server, ServerOfRegion(region));
  return server->CompactRegion(region, family, kind, wait);
}

absl::StatusOr<TableName> Master::TableOfRegion(std::string_view region) const {
  VAQUITA_ASSIGN_OR_RETURN(const AssignedRegion found, parts_.catalog.FindRegion(region));
  return found.info.table;
}

int64_t Master::LastMajorCompactionMs(std::string_view name) const {
  const auto found = parts_.catalog.FindRegion(name);
  if (!found.ok()) return 0;
  for (const ServerMetrics& server : parts_.servers.Metrics()) {
    for (const RegionMetrics& region : server.regions) {
      if (region.info == ReplicaOf(found->info, 0)) return LastMajorCompactionOf(region);
    }
  }
  return 0;
}

int64_t Master::LastMajorCompactionMs(const TableName& table) const {
  const auto regions = parts_.catalog.Regions(table);
  if (!regions.ok() || regions->empty()) return 0;
  size_t known = 0;
  int64_t oldest_ms = std::numeric_limits<int64_t>::max();
  for (const ServerMetrics& server : parts_.servers.Metrics()) {
    for (const RegionMetrics& region : server.regions) {
      if (region.info.table != table) continue;
      oldest_ms = std::min(oldest_ms, LastMajorCompactionOf(region));
      ++known;
    }
  }
  return known < regions->size() ? 0 : oldest_ms;
}

absl::Status Master::CompactTable(const TableName& table, std::string_view family, CompactionKind kind, bool wait) {
  return OnEveryRegion(table, [&](const std::string& region) { return CompactRegion(region, family, kind, wait); });
}

absl::Status Master::Decommission(const std::vector<std::string>& servers, bool offload) {
  for (const std::string& server : servers) {
    if (!parts_.servers.Find(server).ok()) {
      spdlog::warn("server {} is not online, so it is not decommissioned", server);
      continue;
    }
    const auto draining = offload ? assignment::Draining::kAllLeave : assignment::Draining::kNoNewRegions;
    VAQUITA_RETURN_IF_ERROR(parts_.assigner->SetDraining(server, draining));
  }
  return absl::OkStatus();
}

absl::Status Master::Recommission(const std::string& server, const std::vector<std::string>& regions) {
  VAQUITA_RETURN_IF_ERROR(parts_.assigner->SetDraining(server, assignment::Draining::kNo));
  for (const std::string& region : regions) BringBack(region, server);
  return absl::OkStatus();
}

void Master::BringBack(const std::string& region, const std::string& server) {
  const auto found = parts_.catalog.FindRegion(region);
  if (found.ok() && found->server_name == server) return;
  const std::string move = region + " to " + server;
  const auto moved = [this, move](const absl::Status& status) {
    if (!status.ok()) spdlog::warn("region {} does not go back: {}", move, status.ToString());
    std::lock_guard lock(requested_mutex_);
    requested_moves_.erase(move);
  };
  {
    std::lock_guard lock(requested_mutex_);
    if (!requested_moves_.insert(move).second) return;  // the client has repeated its request
  }
  const absl::Status submitted = found.ok() ? SubmitMove(found->info, server, moved).status() : found.status();
  if (!submitted.ok()) moved(submitted);
}

std::vector<std::string> Master::DecommissionedServers() const {
  std::vector<std::string> names;
  for (const assignment::ServerView& server : parts_.assigner->Servers()) {
    if (server.draining && server.state == assignment::ServerView::State::kLive) names.push_back(server.name);
  }
  return names;
}

ClusterStatus Master::Status() const {
  ClusterStatus status{.version = std::string(kVersion),
                       .cluster_id = parts_.store->cluster_id(),
                       .master = parts_.options.server_name,
                       .backup_masters = BackupMasters(),
                       .servers = parts_.servers.Metrics(),
                       .balancer_on = IsOn(MasterSwitch::kBalancer)};
  // HBase forgets a dead server when a later life of it comes (DeadServer.cleanPreviousInstance).
  std::set<std::string> live;
  for (const std::string& name : parts_.servers.Names()) live.insert(AddressIn(name));
  for (const assignment::ServerView& server : parts_.assigner->Servers()) {
    if (server.state != assignment::ServerView::State::kDead) continue;
    if (server.recovering || !live.contains(AddressIn(server.name))) status.dead_servers.push_back(server.name);
  }
  status.regions_in_transition = static_cast<int64_t>(parts_.assigner->RegionsInTransition().size());
  return status;
}

std::vector<RegionInTransition> Master::RegionsInTransition() const {
  const int64_t now_ms = AssignmentManager::NowMs();
  std::vector<RegionInTransition> regions;
  for (const assignment::RegionView& region : parts_.assigner->RegionsInTransition()) {
    const int64_t age_ms = now_ms - region.in_transition_ms;
    regions.push_back({*region.info, region.state, region.server, parts_.options.clock->NowMs() - age_ms});
  }
  return regions;
}

MasterMetrics Master::Metrics() const {
  MasterMetrics metrics{.initialized = initialized(),
                        .writes_work = Writes().why.ok(),
                        .epoch = epoch_,
                        .backup_masters = static_cast<int64_t>(BackupMasters().size()),
                        .regions = parts_.catalog.CountRegions(),
                        .tables = parts_.catalog.CountTables(),
                        .unreadable_meta_rows = parts_.unreadable_meta_rows,
                        .assignment = parts_.assigner->counters(),
                        .balancer_on = IsOn(MasterSwitch::kBalancer),
                        .balancer = balancer_.counters(),
                        .normalizer_on = IsOn(MasterSwitch::kNormalizer),
                        .normalizer = normalizer_.counters()};
  metrics.running_procedures = static_cast<int64_t>(procedures_->CountUnfinished());
  metrics.stuck_procedures = static_cast<int64_t>(procedures_->CountStuck());
  AddAssignment(&metrics);
  return metrics;
}

void Master::AddAssignment(MasterMetrics* metrics) const {
  using State = assignment::ServerView::State;
  const int64_t now_ms = AssignmentManager::NowMs();
  for (const assignment::ServerView& server : parts_.assigner->Servers()) {
    if (server.state == State::kDead && !server.recovering) continue;
    metrics->servers.push_back({.name = server.name,
                                .live = server.state == State::kLive,
                                .draining = server.draining,
                                .heartbeat_age_ms = server.leased ? now_ms - server.heard_ms : 0});
  }
  for (const assignment::RegionView& region : parts_.assigner->RegionsInTransition()) {
    ++metrics->regions_in_transition;
    if (metrics->transitions.size() < MasterMetrics::kMostTransitions) {
      metrics->transitions.push_back({*region.info, region.state, region.server, now_ms - region.in_transition_ms});
    }
    metrics->oldest_transition_ms = std::max(metrics->oldest_transition_ms, now_ms - region.in_transition_ms);
  }
}

absl::StatusOr<bool> Master::SetSwitch(MasterSwitch which, bool on) {
  const size_t index = static_cast<size_t>(which);
  std::lock_guard lock(switches_mutex_);  // the last one stored is the one that holds
  VAQUITA_RETURN_IF_ERROR(parts_.store->SetSwitch(kSwitchNames[index], on));
  return switches_[index].exchange(on);
}

absl::StatusOr<std::unique_ptr<Master>> Master::Open(const MasterOptions& options) {
  auto master = std::make_unique<Master>(options);
  VAQUITA_RETURN_IF_ERROR(master->Start());
  return master;
}

}  // namespace vaquita

#include "server/master.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "engine/status.h"
#include "region/split.h"
#include "region/split_algorithm.h"
#include "server/master_parts.h"
#include "server/procedure_executor.h"
#include "server/recovery.h"
#include "server/region_procedures.h"
#include "server/table_procedures.h"
#include "server/version.h"
#include "spdlog/spdlog.h"

namespace vaquita {
namespace {

constexpr auto kJanitorInterval = std::chrono::minutes(5);  // hbase.catalogjanitor.interval
constexpr int64_t kProcedureIdsPerStart = 1'000'000;

class MasterImpl : public Master {
 public:
  explicit MasterImpl(const MasterOptions& options) : parts_(options) {}
  ~MasterImpl() override { Stop(); }
  absl::Status Start();

  absl::StatusOr<std::vector<RegionToOpen>> RegionsToOpen() const override;
  absl::Status SetRegionServer(RegionServer* server, std::string_view server_name) override;
  void RequestSplit(const RegionInfo& info) override;
  void Stop() override;

  absl::StatusOr<int64_t> CreateTableAsync(const TableDescriptor& table,
                                           const std::vector<std::string>& split_keys) override;
  absl::StatusOr<int64_t> DeleteTableAsync(const TableName& table) override;
  absl::StatusOr<int64_t> TruncateTableAsync(const TableName& table, bool preserve_splits) override;
  absl::StatusOr<int64_t> EnableTableAsync(const TableName& table) override;
  absl::StatusOr<int64_t> DisableTableAsync(const TableName& table) override;
  absl::StatusOr<int64_t> ModifyTableAsync(const TableDescriptor& table) override;
  absl::StatusOr<int64_t> SplitRegionAsync(std::string_view region, std::string_view split_row) override;
  absl::StatusOr<int64_t> MergeRegionsAsync(const std::vector<std::string>& regions, bool forcible) override;
  absl::StatusOr<Procedure> GetProcedure(int64_t id) const override { return procedures_->Get(id); }
  absl::Status Wait(int64_t id) override { return procedures_->Wait(id); }

  absl::StatusOr<std::shared_ptr<const TableDescriptor>> GetDescriptor(const TableName& table) const override {
    return parts_.catalog.Descriptor(table);
  }
  absl::StatusOr<TableState> GetTableState(const TableName& table) const override {
    return parts_.catalog.State(table);
  }
  std::vector<TableName> ListTables(bool system) const override;
  absl::StatusOr<std::vector<AssignedRegion>> GetRegions(const TableName& table) const override {
    return parts_.catalog.Regions(table);
  }
  absl::StatusOr<AssignedRegion> LocateRow(const TableName& table, std::string_view row) const override {
    return parts_.catalog.Locate(table, row);
  }
  absl::Status FlushTable(const TableName& table) override;
  absl::Status CompactTable(const TableName& table, std::string_view family, CompactionKind kind, bool wait) override;

  absl::Status CreateNamespace(const NamespaceDescriptor& ns) override { return parts_.namespaces->Create(ns); }
  absl::Status ModifyNamespace(const NamespaceDescriptor& ns) override { return parts_.namespaces->Modify(ns); }
  absl::Status DeleteNamespace(std::string_view name) override {
    return parts_.namespaces->Delete(name, [&] { return parts_.catalog.TablesIn(name); });
  }
  std::vector<NamespaceDescriptor> ListNamespaces() const override { return parts_.namespaces->List(); }
  absl::StatusOr<NamespaceDescriptor> GetNamespace(std::string_view name) const override {
    return parts_.namespaces->Get(name);
  }

  std::shared_ptr<Region> meta() override { return parts_.meta->region(); }

  ClusterStatus Status() const override;
  bool SetBalancer(bool on) override { return Switch(&balancer_on_, "balancer", on); }
  bool IsBalancerOn() const override { return balancer_on_; }
  // One server has all regions: there is nothing to move, and so it has run as soon as it may.
  absl::StatusOr<bool> Balance() override { return balancer_on_.load(); }
  bool SetSplitOrMerge(bool split, bool on) override {
    return split ? Switch(&split_on_, "split", on) : Switch(&merge_on_, "merge", on);
  }
  bool IsSplitOrMergeOn(bool split) const override { return split ? split_on_ : merge_on_; }

 private:
  absl::Status OpenOwnRegions();
  absl::Status LoadSwitches();
  absl::StatusOr<int64_t> SubmitSplit(const RegionInfo& info, std::string split_row);
  bool Switch(std::atomic<bool>* value, std::string_view name, bool on);
  absl::Status OnEveryRegion(const TableName& table, const std::function<absl::Status(const std::string&)>& act);
  void RunJanitor();

  MasterParts parts_;
  std::unique_ptr<ProcedureExecutor> procedures_;
  std::atomic<bool> balancer_on_{true}, split_on_{true}, merge_on_{true};
  std::atomic<bool> serving_{false};  // SetRegionServer is done
  std::mutex requested_mutex_;
  std::set<std::string> requested_splits_;  // encoded names, so that a region is asked for once
  std::mutex janitor_mutex_;
  std::condition_variable janitor_stop_;
  bool stopping_ = false;
  std::thread janitor_;
};

absl::Status MasterImpl::Start() {
  VAQUITA_RETURN_IF_ERROR(OpenOwnRegions());
  VAQUITA_RETURN_IF_ERROR(LoadSwitches());
  VAQUITA_RETURN_IF_ERROR(Annotate(RecoverTables(parts_), "recover tables"));
  parts_.catalog.PutTable(MetaTable::Descriptor(), TableState::kEnabled, {{MetaTable::Info(), RegionState::kOpen, ""}});
  if (!parts_.catalog.Contains(kNamespaceTableName)) {
    MetaEdit edit;
    edit.PutRegion(Namespaces::Info(), RegionState::kOpen, parts_.options.server_name);
    edit.PutTableState(kNamespaceTableName, TableState::kEnabled);
    VAQUITA_RETURN_IF_ERROR(parts_.meta->Apply(std::move(edit)));
    parts_.catalog.PutTable(Namespaces::Descriptor(), TableState::kEnabled,
                            {{Namespaces::Info(), RegionState::kOpen, parts_.options.server_name}});
  }
  VAQUITA_ASSIGN_OR_RETURN(const int64_t first_id, parts_.store->ReserveProcedureIds(kProcedureIdsPerStart));
  procedures_ = std::make_unique<ProcedureExecutor>(first_id, parts_.options.clock);
  janitor_ = std::thread([this] { RunJanitor(); });
  return absl::OkStatus();
}

absl::Status MasterImpl::OpenOwnRegions() {
  const MasterOptions& options = parts_.options;
  const std::vector<RegionToOpen> own = {{MetaTable::Info(), MetaTable::Descriptor()},
                                         {Namespaces::Info(), Namespaces::Descriptor()},
                                         {MasterStore::Info(), MasterStore::Descriptor()}};
  std::map<std::string, StoreSpec, std::less<>> specs;
  for (const RegionToOpen& region : own) {
    for (StoreSpec& spec : Region::StoreSpecs(region.info, *region.table, *options.options)) specs[spec.name] = spec;
  }
  const auto resolve = [&](std::string_view store) {
    const auto it = specs.find(store);
    return it == specs.end() ? nullptr : std::make_unique<StoreSpec>(it->second);
  };
  VAQUITA_ASSIGN_OR_RETURN(parts_.db, StoreDb::Open({options.path, options.options, options.clock}, resolve));
  std::vector<std::shared_ptr<Region>> regions;
  for (const RegionToOpen& region : own) {
    VAQUITA_ASSIGN_OR_RETURN(auto opened, Region::Open(parts_.db.get(), region.info, region.table));
    regions.push_back(std::move(opened));
  }
  parts_.maintenance = Maintenance::Start(parts_.db.get(), nullptr);
  for (const auto& region : regions) parts_.maintenance->Add(region);
  parts_.meta = std::make_unique<MetaTable>(regions[0], options.clock);
  VAQUITA_ASSIGN_OR_RETURN(parts_.namespaces, Namespaces::Load(regions[1], options.clock));
  VAQUITA_ASSIGN_OR_RETURN(parts_.store, MasterStore::Load(regions[2], options.clock));
  return absl::OkStatus();
}

absl::Status MasterImpl::LoadSwitches() {
  VAQUITA_ASSIGN_OR_RETURN(balancer_on_, parts_.store->GetSwitch("balancer", true));
  VAQUITA_ASSIGN_OR_RETURN(split_on_, parts_.store->GetSwitch("split", true));
  VAQUITA_ASSIGN_OR_RETURN(merge_on_, parts_.store->GetSwitch("merge", true));
  return absl::OkStatus();
}

absl::StatusOr<std::vector<RegionToOpen>> MasterImpl::RegionsToOpen() const {
  std::vector<RegionToOpen> regions;
  for (const TableName& table : parts_.catalog.Tables()) {
    if (IsMastersOwn(table)) continue;
    VAQUITA_ASSIGN_OR_RETURN(const auto descriptor, parts_.catalog.Descriptor(table));
    VAQUITA_ASSIGN_OR_RETURN(const TableState state, parts_.catalog.State(table));
    VAQUITA_ASSIGN_OR_RETURN(const auto assigned, parts_.catalog.Regions(table));
    for (const AssignedRegion& region : assigned) {
      regions.push_back({region.info, descriptor, state == TableState::kEnabled});
    }
  }
  return regions;
}

absl::Status MasterImpl::SetRegionServer(RegionServer* server, std::string_view server_name) {
  parts_.server = server;
  parts_.server_name = server_name;
  MetaEdit edit;
  for (const TableName& table : parts_.catalog.Tables()) {
    VAQUITA_ASSIGN_OR_RETURN(const TableState state, parts_.catalog.State(table));
    if (state != TableState::kEnabled) continue;
    VAQUITA_ASSIGN_OR_RETURN(auto regions, parts_.catalog.Regions(table));
    for (AssignedRegion& region : regions) {
      region.state = RegionState::kOpen;
      region.server_name = server_name;
      // Nothing says in meta where meta is.
      if (table != kMetaTableName) edit.PutRegion(region.info, RegionState::kOpen, server_name);
    }
    parts_.catalog.SetRegions(table, regions);
  }
  VAQUITA_RETURN_IF_ERROR(parts_.meta->Apply(std::move(edit)));
  server->Host(parts_.meta->region());
  server->Host(parts_.namespaces->region());
  serving_ = true;
  return absl::OkStatus();
}

void MasterImpl::Stop() {
  {
    std::lock_guard lock(janitor_mutex_);
    stopping_ = true;
    janitor_stop_.notify_all();
  }
  if (janitor_.joinable()) janitor_.join();
  if (procedures_ != nullptr) procedures_->Stop();
}

void MasterImpl::RunJanitor() {
  std::unique_lock lock(janitor_mutex_);
  while (!janitor_stop_.wait_for(lock, kJanitorInterval, [this] { return stopping_; })) {
    const auto cleaned = parts_.janitor.Sweep();
    if (!cleaned.ok()) spdlog::warn("catalog janitor: {}", cleaned.status().ToString());
  }
}

absl::StatusOr<int64_t> MasterImpl::CreateTableAsync(const TableDescriptor& table,
                                                     const std::vector<std::string>& split_keys) {
  VAQUITA_ASSIGN_OR_RETURN(std::vector<std::string> keys, CheckSplitKeys(split_keys));
  VAQUITA_RETURN_IF_ERROR(CheckCreateTable(parts_, table));
  return procedures_->Submit(
      "CreateTableProcedure table=" + table.name.ToString(), table.name.ToString(),
      [this, table, keys = std::move(keys)](Progress& progress) { return CreateTable(parts_, table, keys, progress); });
}

absl::StatusOr<int64_t> MasterImpl::DeleteTableAsync(const TableName& table) {
  VAQUITA_RETURN_IF_ERROR(CheckTableIsDisabled(parts_, table));
  return procedures_->Submit("DeleteTableProcedure table=" + table.ToString(), table.ToString(),
                             [this, table](Progress& progress) { return DeleteTable(parts_, table, progress); });
}

absl::StatusOr<int64_t> MasterImpl::TruncateTableAsync(const TableName& table, bool preserve_splits) {
  VAQUITA_RETURN_IF_ERROR(CheckTruncateTable(parts_, table));
  return procedures_->Submit(
      "TruncateTableProcedure table=" + table.ToString() + " preserveSplits=" + (preserve_splits ? "true" : "false"),
      table.ToString(), [this, table, preserve_splits](Progress& progress) {
        return TruncateTable(parts_, table, preserve_splits, progress);
      });
}

absl::StatusOr<int64_t> MasterImpl::EnableTableAsync(const TableName& table) {
  VAQUITA_RETURN_IF_ERROR(CheckEnableTable(parts_, table));
  return procedures_->Submit("EnableTableProcedure table=" + table.ToString(), table.ToString(),
                             [this, table](Progress& progress) { return EnableTable(parts_, table, progress); });
}

absl::StatusOr<int64_t> MasterImpl::DisableTableAsync(const TableName& table) {
  VAQUITA_RETURN_IF_ERROR(CheckDisableTable(parts_, table));
  return procedures_->Submit("DisableTableProcedure table=" + table.ToString(), table.ToString(),
                             [this, table](Progress& progress) { return DisableTable(parts_, table, progress); });
}

absl::StatusOr<int64_t> MasterImpl::ModifyTableAsync(const TableDescriptor& table) {
  VAQUITA_RETURN_IF_ERROR(CheckModifyTable(parts_, table));
  return procedures_->Submit("ModifyTableProcedure table=" + table.name.ToString(), table.name.ToString(),
                             [this, table](Progress& progress) { return ModifyTable(parts_, table, progress); });
}

absl::StatusOr<int64_t> MasterImpl::SplitRegionAsync(std::string_view region, std::string_view split_row) {
  VAQUITA_ASSIGN_OR_RETURN(const RegionInfo info, CheckSplit(parts_, region));
  if (!split_on_) {
    return Error(ErrorKind::kDoNotRetryIO,
                 "Split region " + ToStringBinary(info.Name()) + " failed due to split switch off");
  }
  return SubmitSplit(info, std::string(split_row));
}

absl::StatusOr<int64_t> MasterImpl::SubmitSplit(const RegionInfo& info, std::string split_row) {
  return procedures_->Submit(
      "SplitTableRegionProcedure table=" + info.table.ToString() + ", parent=" + info.EncodedName(),
      info.table.ToString(), [this, info, split_row = std::move(split_row)](Progress&) {
        absl::Status status = SplitRegion(parts_, info, split_row);
        std::lock_guard lock(requested_mutex_);
        requested_splits_.erase(info.EncodedName());
        return status;
      });
}

void MasterImpl::RequestSplit(const RegionInfo& info) {
  if (!serving_ || !split_on_) return;
  {
    std::lock_guard lock(requested_mutex_);
    if (!requested_splits_.insert(info.EncodedName()).second) return;
  }
  if (const auto id = SubmitSplit(info, ""); !id.ok()) {
    std::lock_guard lock(requested_mutex_);
    requested_splits_.erase(info.EncodedName());
  }
}

absl::StatusOr<int64_t> MasterImpl::MergeRegionsAsync(const std::vector<std::string>& regions, bool forcible) {
  VAQUITA_ASSIGN_OR_RETURN(std::vector<RegionInfo> infos, CheckMerge(parts_, regions));
  std::string names;
  std::string texts;
  for (const RegionInfo& info : infos) {
    names += (names.empty() ? "" : ", ") + info.EncodedName();
    texts += (texts.empty() ? "" : ", ") + RegionText(info);
  }
  if (!merge_on_) {
    return Error(ErrorKind::kDoNotRetryIO, "Merge of [" + texts + "] failed because merge switch is off");
  }
  const std::string table = infos[0].table.ToString();
  return procedures_->Submit(
      "MergeTableRegionsProcedure table=" + table + ", regions=[" + names + "], force=" + (forcible ? "true" : "false"),
      table, [this, infos = std::move(infos), forcible](Progress&) { return MergeRegions(parts_, infos, forcible); });
}

std::vector<TableName> MasterImpl::ListTables(bool system) const {
  std::vector<TableName> tables = parts_.catalog.Tables();
  if (!system) std::erase_if(tables, [](const TableName& table) { return table.IsSystem(); });
  return tables;
}

absl::Status MasterImpl::OnEveryRegion(const TableName& table,
                                       const std::function<absl::Status(const std::string&)>& act) {
  VAQUITA_ASSIGN_OR_RETURN(const TableState state, parts_.catalog.State(table));
  if (state != TableState::kEnabled) return Error(ErrorKind::kTableNotEnabled, table.ToString());
  VAQUITA_ASSIGN_OR_RETURN(const auto regions, parts_.catalog.Regions(table));
  for (const AssignedRegion& region : regions) {
    const std::string name = region.info.EncodedName();
    const absl::Status status = act(name);
    // A region that was split or merged since has had its files written by that.
    if (IsError(status, ErrorKind::kNotServingRegion) && !parts_.catalog.FindRegion(name).ok()) continue;
    VAQUITA_RETURN_IF_ERROR(status);
  }
  return absl::OkStatus();
}

absl::Status MasterImpl::FlushTable(const TableName& table) {
  return OnEveryRegion(table, [&](const std::string& region) { return parts_.server->FlushRegion(region); });
}

absl::Status MasterImpl::CompactTable(const TableName& table, std::string_view family, CompactionKind kind, bool wait) {
  return OnEveryRegion(
      table, [&](const std::string& region) { return parts_.server->CompactRegion(region, family, kind, wait); });
}

ClusterStatus MasterImpl::Status() const {
  ClusterStatus status{.version = std::string(kVersion),
                       .cluster_id = parts_.store->cluster_id(),
                       .master = parts_.options.server_name,
                       .balancer_on = balancer_on_};
  if (parts_.server != nullptr) status.servers.push_back(parts_.server->Metrics());
  return status;
}

bool MasterImpl::Switch(std::atomic<bool>* value, std::string_view name, bool on) {
  const bool before = value->exchange(on);
  if (before == on) return before;
  if (const absl::Status status = parts_.store->SetSwitch(name, on); !status.ok()) {
    spdlog::warn("the {} switch will not survive a restart: {}", name, status.ToString());
  }
  return before;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Master>> Master::Open(const MasterOptions& options) {
  auto master = std::make_unique<MasterImpl>(options);
  VAQUITA_RETURN_IF_ERROR(master->Start());
  return master;
}

}  // namespace vaquita

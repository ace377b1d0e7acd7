// The driver that calls the master and the region server of this process directly.
#include <utility>

#include "base/java_regex.h"
#include "base/status.h"
#include "server/master/master.h"
#include "server/regionserver/region_server.h"
#include "tests/semantics/driver.h"
#include "tests/semantics/in_process_table.h"
#include "tests/semantics/own_server.h"

namespace vaquita::semantics {
namespace {

absl::Status NotInScripts() { return absl::UnimplementedError("no script asks for this"); }

class InProcessAdmin : public client::Admin {
 public:
  explicit InProcessAdmin(OwnServer* server) : server_(server) {}

  absl::Status CreateTable(const TableDescriptor& table, const std::vector<std::string>& split_keys) override {
    return WaitFor(master().CreateTableAsync(table, split_keys));
  }
  absl::StatusOr<int64_t> CreateTableAsync(const TableDescriptor& table,
                                           const std::vector<std::string>& split_keys) override {
    return master().CreateTableAsync(table, split_keys);
  }
  absl::StatusOr<Procedure> GetProcedure(int64_t id) override { return master().GetProcedure(id); }
  absl::Status WaitForProcedure(int64_t id) override { return master().Wait(id); }
  absl::Status DeleteTable(const TableName& table) override { return WaitFor(master().DeleteTableAsync(table)); }
  absl::Status TruncateTable(const TableName& table, bool preserve_splits) override {
    return WaitFor(master().TruncateTableAsync(table, preserve_splits));
  }
  absl::Status EnableTable(const TableName& table) override { return WaitFor(master().EnableTableAsync(table)); }
  absl::Status DisableTable(const TableName& table) override { return WaitFor(master().DisableTableAsync(table)); }
  absl::Status ModifyTable(const TableDescriptor& table) override { return WaitFor(master().ModifyTableAsync(table)); }
  absl::StatusOr<TableDescriptor> GetDescriptor(const TableName& table) override {
    VAQUITA_ASSIGN_OR_RETURN(const auto descriptor, master().GetDescriptor(table));
    return *descriptor;
  }
  absl::StatusOr<TableState> GetTableState(const TableName& table) override { return master().GetTableState(table); }
  absl::StatusOr<bool> TableExists(const TableName& table) override { return master().GetTableState(table).ok(); }
  absl::StatusOr<std::vector<TableName>> ListTableNames(std::string_view regex, bool system) override {
    VAQUITA_ASSIGN_OR_RETURN(const auto pattern, JavaRegex::CompileForNames(regex.empty() ? ".*" : regex));
    std::vector<TableName> names;
    for (TableName& name : master().ListTables(system)) {
      VAQUITA_ASSIGN_OR_RETURN(const bool matches, pattern->IsFoundIn(name.ToString()));
      if (matches) names.push_back(std::move(name));
    }
    return names;
  }

  absl::Status CreateNamespace(const NamespaceDescriptor& ns) override { return master().CreateNamespace(ns); }
  absl::Status ModifyNamespace(const NamespaceDescriptor& ns) override { return master().ModifyNamespace(ns); }
  absl::Status DeleteNamespace(std::string_view name) override { return master().DeleteNamespace(std::string(name)); }
  absl::StatusOr<std::vector<NamespaceDescriptor>> ListNamespaces() override { return master().ListNamespaces(); }
  absl::StatusOr<NamespaceDescriptor> GetNamespace(std::string_view name) override {
    return master().GetNamespace(name);
  }

  absl::StatusOr<std::vector<client::RegionLocation>> GetRegions(const TableName& table) override {
    VAQUITA_ASSIGN_OR_RETURN(const auto regions, master().GetRegions(table));
    std::vector<client::RegionLocation> locations;
    for (const AssignedRegion& region : regions) locations.push_back({region.info, region.server_name, ""});
    return locations;
  }
  absl::Status Flush(const TableName& table) override { return master().FlushTable(table); }
  absl::Status FlushRegion(std::string_view region) override { return NotInScripts(); }
  absl::Status Compact(const TableName& table, std::string_view family, bool major) override {
    return master().CompactTable(table, family, major ? CompactionKind::kMajor : CompactionKind::kMinor, /*wait=*/true);
  }
  absl::Status CompactAsync(const TableName& table, std::string_view family, bool major) override {
    return NotInScripts();
  }
  absl::Status CompactRegion(std::string_view region, std::string_view family, bool major) override {
    return NotInScripts();
  }
  absl::StatusOr<bool> IsCompacting(const TableName& table) override { return NotInScripts(); }
  absl::Status SplitTable(const TableName& table, std::string_view split_row) override { return NotInScripts(); }
  absl::Status SplitRegion(std::string_view region, std::string_view split_row) override {
    return WaitFor(master().SplitRegionAsync(region, split_row));
  }
  absl::Status MergeRegions(const std::vector<std::string>& regions, bool forcible) override {
    return WaitFor(master().MergeRegionsAsync(regions, forcible));
  }
  absl::Status MoveRegion(std::string_view region, std::string_view server_name) override {
    return master().MoveRegion(region, server_name);
  }
  absl::Status AssignRegion(std::string_view region) override { return NotInScripts(); }
  absl::Status UnassignRegion(std::string_view region) override { return NotInScripts(); }
  absl::Status TruncateRegion(std::string_view region) override { return NotInScripts(); }
  absl::StatusOr<std::vector<RegionInTransition>> ListRegionsInTransition() override { return NotInScripts(); }

  absl::Status Snapshot(const SnapshotDescription& snapshot) override { return NotInScripts(); }
  absl::StatusOr<std::vector<SnapshotDescription>> ListSnapshots(std::string_view regex) override {
    return NotInScripts();
  }
  absl::StatusOr<std::vector<SnapshotDescription>> ListTableSnapshots(std::string_view table_regex,
                                                                      std::string_view regex) override {
    return NotInScripts();
  }
  absl::Status CloneSnapshot(std::string_view name, const TableName& to, std::string_view tracker) override {
    return NotInScripts();
  }
  absl::Status RestoreSnapshot(std::string_view name) override { return NotInScripts(); }
  absl::Status DeleteSnapshot(std::string_view name) override { return NotInScripts(); }
  absl::Status DeleteSnapshots(std::string_view regex) override { return NotInScripts(); }
  absl::Status DeleteTableSnapshots(std::string_view table_regex, std::string_view regex) override {
    return NotInScripts();
  }

  absl::StatusOr<ClusterStatus> GetClusterStatus() override { return master().Status(); }
  absl::StatusOr<std::vector<RegionMetrics>> GetRegionMetrics(const TableName& table) override {
    return NotInScripts();
  }
  absl::Status DecommissionServers(const std::vector<std::string>& servers, bool offload) override {
    return NotInScripts();
  }
  absl::Status RecommissionServer(std::string_view server, const std::vector<std::string>& regions) override {
    return NotInScripts();
  }
  absl::StatusOr<std::vector<std::string>> ListDecommissionedServers() override { return NotInScripts(); }
  absl::StatusOr<bool> SwitchCompactions(std::string_view server, bool on) override { return NotInScripts(); }
  absl::StatusOr<std::vector<Procedure>> ListProcedures() override { return NotInScripts(); }
  absl::StatusOr<std::vector<LockedResource>> ListLocks() override { return NotInScripts(); }
  absl::StatusOr<bool> SetSwitch(MasterSwitch which, bool on) override { return master().SetSwitch(which, on); }
  absl::StatusOr<bool> IsOn(MasterSwitch which) override { return master().IsOn(which); }
  absl::StatusOr<BalanceAnswer> Balance(const BalanceRequest& request) override { return master().Balance(request); }
  absl::StatusOr<bool> Normalize(const std::vector<TableName>& tables) override {
    return master().Normalize(tables.empty() ? master().ListTables(/*system=*/false) : tables);
  }
  absl::StatusOr<int64_t> RunCatalogJanitor() override { return NotInScripts(); }
  absl::Status FlushMasterStore() override { return NotInScripts(); }
  absl::StatusOr<std::vector<std::string>> CheckConsistency() override { return NotInScripts(); }
  absl::StatusOr<std::vector<BalancerDecision>> ListBalancerDecisions(int64_t limit) override { return NotInScripts(); }
  absl::StatusOr<std::vector<BalancerRejection>> ListBalancerRejections(int64_t limit) override {
    return NotInScripts();
  }
  absl::StatusOr<std::vector<SlowCall>> ListSlowCalls(std::string_view server, const SlowCallQuery& query) override {
    return NotInScripts();
  }
  absl::StatusOr<bool> ClearSlowCalls(std::string_view server) override { return NotInScripts(); }
  absl::Status RollLog(std::string_view server) override { return NotInScripts(); }
  absl::Status StopMaster() override { return NotInScripts(); }
  absl::Status StopServer(std::string_view server) override { return NotInScripts(); }
  absl::Status UpdateConfiguration(std::string_view server) override { return NotInScripts(); }
  absl::StatusOr<CacheEviction> ClearBlockCache(const TableName& table) override { return NotInScripts(); }
  absl::Status AddReplicationPeer(const ReplicationPeer& peer) override { return NotInScripts(); }
  absl::Status RemoveReplicationPeer(std::string_view id) override { return NotInScripts(); }
  absl::Status SwitchReplicationPeer(std::string_view id, bool on) override { return NotInScripts(); }
  absl::Status UpdateReplicationPeer(std::string_view id, const ReplicationPeerConfig& config) override {
    return NotInScripts();
  }
  absl::StatusOr<std::vector<ReplicationPeer>> ListReplicationPeers() override { return NotInScripts(); }
  absl::Status SetQuota(std::string_view request) override { return NotInScripts(); }
  absl::StatusOr<bool> SwitchRpcThrottle(bool on) override { return NotInScripts(); }
  absl::StatusOr<bool> IsRpcThrottleOn() override { return NotInScripts(); }
  absl::StatusOr<bool> SwitchExceedThrottleQuota(bool on) override { return NotInScripts(); }
  absl::StatusOr<std::map<TableName, int64_t>> QuotaTableSizes() override { return NotInScripts(); }
  absl::Status Grant(const UserPermission&, bool) override { return NotInScripts(); }
  absl::Status Revoke(const UserPermission&) override { return NotInScripts(); }
  absl::StatusOr<std::vector<UserPermission>> ListUserPermissions(const PermissionQuery&) override {
    return NotInScripts();
  }
  absl::StatusOr<bool> HasAuthorization() override { return NotInScripts(); }

 private:
  Master& master() { return *server_->standalone().master(); }
  absl::Status WaitFor(const absl::StatusOr<int64_t>& procedure) {
    return procedure.ok() ? master().Wait(*procedure) : procedure.status();
  }

  OwnServer* const server_;
};

class InProcessDriver : public Driver {
 public:
  absl::Status Start() { return server_.Start(); }
  void UseTestDisk(uint64_t seed) { server_.UseTestDisk(seed); }
  std::unique_ptr<client::Table> GetTable(const TableName& name) override {
    return MakeInProcessTable(&server_.standalone(), name, server_.on_test_disk());
  }
  client::Admin* admin() override { return &admin_; }
  void Advance(int64_t ms) override { server_.Advance(ms); }
  absl::Status Restart() override { return server_.Restart(); }

 private:
  OwnServer server_{/*serve=*/false};
  InProcessAdmin admin_{&server_};
};

}  // namespace

absl::StatusOr<std::unique_ptr<Driver>> StartInProcessDriver() {
  auto driver = std::make_unique<InProcessDriver>();
  VAQUITA_RETURN_IF_ERROR(driver->Start());
  return driver;
}

absl::StatusOr<std::unique_ptr<Driver>> StartPowerCutDriver(uint64_t seed) {
  auto driver = std::make_unique<InProcessDriver>();
  driver->UseTestDisk(seed);
  VAQUITA_RETURN_IF_ERROR(driver->Start());
  return driver;
}

}  // namespace vaquita::semantics

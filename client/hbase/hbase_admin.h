// client/hbase/hbase_admin.h: administration by HBase's MasterService and AdminService.
//
// A request for a procedure carries a nonce, so that it can be sent again if its answer was lost. The client polls the
// procedure until it has ended. Source: RawAsyncHBaseAdmin (hbase-client 2.6).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "base/status.h"
#include "client/admin_base.h"
#include "client/cluster.h"
#include "client/hbase/hbase_servers.h"
#include "client/hbase/meta_regions.h"
#include "client/nonce.h"
#include "client/region_locator.h"
#include "hbase/Snapshot.pb.h"

namespace vaquita::client {

class HBaseAdmin final : public AdminBase {
 public:
  // `servers` and `meta` belong to `cluster`'s link.
  HBaseAdmin(std::shared_ptr<Cluster> cluster, HBaseServers* servers, MetaRegions* meta, uint64_t nonce_group)
      : AdminBase(std::move(cluster)), servers_(servers), meta_(meta), nonce_group_(nonce_group) {}

  // Tables.
  absl::StatusOr<int64_t> CreateTableAsync(const TableDescriptor& table,
                                           const std::vector<std::string>& split_keys) override;
  absl::Status DeleteTable(const TableName& table) override;
  absl::Status TruncateTable(const TableName& table, bool preserve_splits) override;
  absl::Status EnableTable(const TableName& table) override;
  absl::Status DisableTable(const TableName& table) override;
  absl::Status ModifyTable(const TableDescriptor& table) override;
  absl::StatusOr<TableDescriptor> GetDescriptor(const TableName& table) override;
  absl::StatusOr<std::vector<TableName>> ListTableNames(std::string_view regex, bool system) override;

  // Procedures.
  absl::StatusOr<Procedure> GetProcedure(int64_t id) override;
  absl::Status WaitForProcedure(int64_t id) override;
  absl::StatusOr<std::vector<Procedure>> ListProcedures() override;
  absl::StatusOr<std::vector<LockedResource>> ListLocks() override;

  // Namespaces.
  absl::Status CreateNamespace(const NamespaceDescriptor& ns) override;
  absl::Status ModifyNamespace(const NamespaceDescriptor& ns) override;
  absl::Status DeleteNamespace(std::string_view name) override;
  absl::StatusOr<std::vector<NamespaceDescriptor>> ListNamespaces() override;
  absl::StatusOr<NamespaceDescriptor> GetNamespace(std::string_view name) override;

  // Regions.
  absl::Status Flush(const TableName& table) override;
  absl::Status FlushRegion(std::string_view region) override;
  absl::Status CompactRegion(std::string_view region, std::string_view family, bool major) override;
  absl::StatusOr<bool> IsCompacting(const TableName& table) override;
  absl::Status MergeRegions(const std::vector<std::string>& regions, bool forcible) override;
  absl::Status MoveRegion(std::string_view region, std::string_view server_name) override;
  absl::Status AssignRegion(std::string_view region) override;
  absl::Status UnassignRegion(std::string_view region) override;
  absl::Status TruncateRegion(std::string_view region) override;
  absl::StatusOr<std::vector<RegionInTransition>> ListRegionsInTransition() override;
  absl::StatusOr<CacheEviction> ClearBlockCache(const TableName& table) override;
  absl::StatusOr<std::vector<RegionMetrics>> GetRegionMetrics(const TableName& table) override;

  // Snapshots.
  absl::Status DeleteSnapshot(std::string_view name) override;

  // The cluster.
  absl::StatusOr<ClusterStatus> GetClusterStatus() override;
  absl::Status DecommissionServers(const std::vector<std::string>& servers, bool offload) override;
  absl::Status RecommissionServer(std::string_view server, const std::vector<std::string>& regions) override;
  absl::StatusOr<std::vector<std::string>> ListDecommissionedServers() override;
  absl::StatusOr<bool> SwitchCompactions(std::string_view server, bool on) override;
  absl::StatusOr<std::vector<SlowCall>> ListSlowCalls(std::string_view server, const SlowCallQuery& query) override;
  absl::StatusOr<bool> ClearSlowCalls(std::string_view server) override;
  absl::Status RollLog(std::string_view server) override;
  absl::Status StopMaster() override;
  absl::Status StopServer(std::string_view server) override;
  absl::Status UpdateConfiguration(std::string_view server) override;
  absl::Status FlushMasterStore() override;
  absl::StatusOr<std::vector<std::string>> CheckConsistency() override;
  absl::StatusOr<std::vector<BalancerDecision>> ListBalancerDecisions(int64_t limit) override;
  absl::StatusOr<std::vector<BalancerRejection>> ListBalancerRejections(int64_t limit) override;

  // Replication peers.
  absl::Status AddReplicationPeer(const ReplicationPeer& peer) override;
  absl::Status RemoveReplicationPeer(std::string_view id) override;
  absl::Status SwitchReplicationPeer(std::string_view id, bool on) override;
  absl::Status UpdateReplicationPeer(std::string_view id, const ReplicationPeerConfig& config) override;
  absl::StatusOr<std::vector<ReplicationPeer>> ListReplicationPeers() override;

  // Users' rights.
  absl::Status Grant(const UserPermission& permission, bool merge) override;
  absl::Status Revoke(const UserPermission& permission) override;
  absl::StatusOr<std::vector<UserPermission>> ListUserPermissions(const PermissionQuery& query) override;
  absl::StatusOr<bool> HasAuthorization() override;

  // Quotas.
  absl::Status SetQuota(std::string_view request) override;
  absl::StatusOr<bool> SwitchRpcThrottle(bool on) override;
  absl::StatusOr<bool> IsRpcThrottleOn() override;
  absl::StatusOr<bool> SwitchExceedThrottleQuota(bool on) override;
  absl::StatusOr<std::map<TableName, int64_t>> QuotaTableSizes() override;

  // Switches and what they switch.
  absl::StatusOr<bool> SetSwitch(MasterSwitch which, bool on) override;
  absl::StatusOr<bool> IsOn(MasterSwitch which) override;
  absl::StatusOr<BalanceAnswer> Balance(const BalanceRequest& request) override;
  absl::StatusOr<bool> Normalize(const std::vector<TableName>& tables) override;
  absl::StatusOr<int64_t> RunCatalogJanitor() override;

 protected:
  absl::StatusOr<int64_t> StartSplit(std::string_view region, std::string_view split_row) override;
  absl::Status CompactTable(const TableName& table, std::string_view family, bool major, bool wait) override;
  absl::Status TakeSnapshot(const SnapshotDescription& snapshot) override;
  absl::StatusOr<std::vector<SnapshotDescription>> ReadSnapshots() override;
  absl::StatusOr<int64_t> StartRestoration(std::string_view snapshot, const TableName& to,
                                           std::string_view tracker) override;

 private:
  // Calls the master. If the answer is lost, AskMaster asks again; TellMaster does not, for requests of which a second
  // one does something else, or has another answer.
  template <typename Request, typename Response>
  absl::Status AskMaster(std::string_view method, const Request& request, Response* response) {
    return CallMaster(Repeatable::kYes, method, request, response);
  }
  template <typename Request, typename Response>
  absl::Status TellMaster(std::string_view method, const Request& request, Response* response) {
    return CallMaster(Repeatable::kOnlyIfNotRun, method, request, response);
  }
  template <typename Request, typename Response>
  absl::Status CallMaster(Repeatable repeatable, std::string_view method, const Request& request, Response* response) {
    return Repeat(repeatable,
                  [&](TimePoint deadline) { return servers_->CallMaster(method, request, deadline, response); });
  }
  // These call a region's server in the same two ways.
  template <typename Request, typename Response>
  absl::Status AskServer(const std::string& address, std::string_view method, const Request& request,
                         Response* response) {
    return CallServer(Repeatable::kYes, address, method, request, response);
  }
  template <typename Request, typename Response>
  absl::Status TellServer(const std::string& address, std::string_view method, const Request& request,
                          Response* response) {
    return CallServer(Repeatable::kOnlyIfNotRun, address, method, request, response);
  }
  template <typename Request, typename Response>
  absl::Status CallServer(Repeatable repeatable, const std::string& address, std::string_view method,
                          const Request& request, Response* response) {
    return Repeat(repeatable, [&](TimePoint deadline) {
      return servers_->rpc().Call({address, "AdminService"}, method, request, deadline, response);
    });
  }
  // Asks the region's server. Looks the region up again if it has left there.
  template <typename Request, typename Response>
  absl::Status AskRegion(RegionLocation region, std::string_view method, const Request& request, Response* response) {
    bool is_gone = false;
    return Repeat(Repeatable::kYes, [&](TimePoint deadline) {
      CallOutcome outcome;
      if (is_gone) outcome = meta_->FindRegion(region.info.Name(), deadline, &region);
      if (outcome.ok()) {
        outcome = servers_->rpc().Call({region.address, "AdminService"}, method, request, deadline, response);
        is_gone = SaysRegionIsGone(outcome.status);
      }
      return outcome;
    });
  }
  // Starts a procedure, once: the number is the same in every attempt.
  template <typename Response, typename Request>
  absl::StatusOr<int64_t> Start(std::string_view method, Request* request) {
    request->set_nonce_group(nonce_group_);
    request->set_nonce(NextNonce());
    Response response;
    VAQUITA_RETURN_IF_ERROR(AskMaster(method, *request, &response));
    return static_cast<int64_t>(response.proc_id());
  }
  template <typename Response, typename Request>
  absl::Status StartAndWait(std::string_view method, Request* request) {
    VAQUITA_ASSIGN_OR_RETURN(const int64_t id, Start<Response>(method, request));
    return WaitForProcedure(id);
  }

  // hbase_admin_cluster.cc has these, and their only callers.
  // Asks a server, or the master (`server` empty), for a log that it keeps in memory; `type` names the request's class
  // of AdminProtos or MasterProtos.
  template <typename Request, typename Response>
  absl::Status AskLog(const std::string& server, std::string_view type, const Request& request, Response* response);
  // Starts a change of the replication peers, which has no nonce in HBase, and waits for it.
  template <typename Response, typename Request>
  absl::Status ChangePeers(std::string_view method, const Request& request);
  // Returns the one flag of the answer, whose field is "enabled" or "value".
  template <typename Response, typename Request>
  absl::StatusOr<bool> AskFlag(std::string_view method, const Request& request);

  absl::StatusOr<RegionLocation> FindRegion(std::string_view name);
  absl::Status Flush(const RegionLocation& region);
  absl::Status StartCompaction(const RegionLocation& region, std::string_view family, bool major);
  absl::StatusOr<bool> IsCompacting(const RegionLocation& region);
  absl::Status WaitForCompactions(const std::vector<RegionLocation>& regions);
  absl::Status WaitForSnapshot(const pb::SnapshotDescription& snapshot);
  // Asks until the answer is true, fast at first. Fails with kDeadlineExceeded, in whose message `unfinished` still
  // runs, when an operation's time is over.
  absl::Status WaitUntil(absl::FunctionRef<absl::StatusOr<bool>()> done, std::string_view unfinished) const;

  HBaseServers* const servers_;
  MetaRegions* const meta_;
  const uint64_t nonce_group_;
};

}  // namespace vaquita::client

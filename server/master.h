// server/master.h: the master: hbase:meta, namespaces, tables and their states, and the operations that change them.
//
// It keeps hbase:meta as an ordinary region in its own store, with HBase's row keys and columns, so that clients scan
// it like any other. Operations that HBase runs as procedures are procedures here too: an Async form returns an id that
// can be polled for progress, and for the outcome after it has ended. A crash at any step leaves a cluster that the
// next start makes whole. Threads: every method may be called from any thread; operations on one table exclude each
// other. Source: HMaster, MasterRpcServices, MetaTableAccessor, CreateTableProcedure and its kin (2.6).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "region/cluster_status.h"
#include "region/operations.h"
#include "region/region.h"
#include "region/table_descriptor.h"
#include "server/region_server.h"

namespace vaquita {

struct MasterOptions {
  std::string path;  // the master's folder
  std::string server_name;
  const Options* options = nullptr;
  Clock* clock = nullptr;
};

// A region with where it is.
struct AssignedRegion {
  RegionInfo info;
  RegionState state = RegionState::kOffline;
  std::string server_name;  // empty: nowhere
};

class Master {
 public:
  static absl::StatusOr<std::unique_ptr<Master>> Open(const MasterOptions& options);
  virtual ~Master() = default;

  // All regions of user tables in meta, those of disabled tables marked so: what RegionServer::Open takes. Then
  // SetRegionServer hands the opened server over, writes its name into meta, and has it serve the master's own regions.
  virtual absl::StatusOr<std::vector<RegionToOpen>> RegionsToOpen() const = 0;
  virtual absl::Status SetRegionServer(RegionServer* server, std::string_view server_name) = 0;
  // A region that by its policy wants to be split: starts that, unless splits are switched off or it is being split
  // already.
  virtual void RequestSplit(const RegionInfo& info) = 0;
  // Running procedures end, later ones are refused with kMasterNotRunning. Before the region server is destroyed.
  virtual void Stop() = 0;

  // Tables. The Async forms check everything they can before they return an id; Wait gives the procedure's outcome.
  virtual absl::StatusOr<int64_t> CreateTableAsync(const TableDescriptor& table,
                                                   const std::vector<std::string>& split_keys) = 0;
  virtual absl::StatusOr<int64_t> DeleteTableAsync(const TableName& table) = 0;
  virtual absl::StatusOr<int64_t> TruncateTableAsync(const TableName& table, bool preserve_splits) = 0;
  virtual absl::StatusOr<int64_t> EnableTableAsync(const TableName& table) = 0;
  virtual absl::StatusOr<int64_t> DisableTableAsync(const TableName& table) = 0;
  virtual absl::StatusOr<int64_t> ModifyTableAsync(const TableDescriptor& table) = 0;
  virtual absl::StatusOr<int64_t> SplitRegionAsync(std::string_view region, std::string_view split_row) = 0;
  virtual absl::StatusOr<int64_t> MergeRegionsAsync(const std::vector<std::string>& regions, bool forcible) = 0;
  virtual absl::StatusOr<Procedure> GetProcedure(int64_t id) const = 0;
  virtual absl::Status Wait(int64_t id) = 0;

  virtual absl::StatusOr<std::shared_ptr<const TableDescriptor>> GetDescriptor(const TableName& table) const = 0;
  virtual absl::StatusOr<TableState> GetTableState(const TableName& table) const = 0;
  virtual std::vector<TableName> ListTables(bool system) const = 0;
  virtual absl::StatusOr<std::vector<AssignedRegion>> GetRegions(const TableName& table) const = 0;
  // The region of `table` that holds `row`; hbase:meta's own for kMetaTableName. Unknown table: kTableNotFound.
  virtual absl::StatusOr<AssignedRegion> LocateRow(const TableName& table, std::string_view row) const = 0;
  // Waits for both; empty family: all.
  virtual absl::Status FlushTable(const TableName& table) = 0;
  virtual absl::Status CompactTable(const TableName& table, std::string_view family, CompactionKind kind,
                                    bool wait) = 0;

  // Namespaces.
  virtual absl::Status CreateNamespace(const NamespaceDescriptor& ns) = 0;
  virtual absl::Status ModifyNamespace(const NamespaceDescriptor& ns) = 0;
  virtual absl::Status DeleteNamespace(std::string_view name) = 0;
  virtual std::vector<NamespaceDescriptor> ListNamespaces() const = 0;
  virtual absl::StatusOr<NamespaceDescriptor> GetNamespace(std::string_view name) const = 0;

  // hbase:meta's region, for reads by clients.
  virtual std::shared_ptr<Region> meta() = 0;

  // The cluster. The switches survive a restart.
  virtual ClusterStatus Status() const = 0;
  virtual bool SetBalancer(bool on) = 0;  // returns what it was
  virtual bool IsBalancerOn() const = 0;
  virtual absl::StatusOr<bool> Balance() = 0;  // whether it ran
  virtual bool SetSplitOrMerge(bool split, bool on) = 0;
  virtual bool IsSplitOrMergeOn(bool split) const = 0;
};

}  // namespace vaquita

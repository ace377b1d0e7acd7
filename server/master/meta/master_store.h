// server/master/meta/master_store.h: stores what the master needs beside hbase:meta: table descriptors, switches, the
// cluster's id, procedure ids.
//
// It is the master's own region "master:store", which no client sees (HBase 2.6 has one of that name, too). Rows:
// "table/<name>" with info:schema (EncodeTableDescriptor), "restore/<name>" with info:schema and info:id, "cluster"
// with info:id, info:epoch and info:<switch>, "procedure" with info:next, "procedure/<id>" as in procedure_store.h,
// "peer/<id>" with info:config and info:enabled, "dead/<server>", "draining/<server>" and "closed/<server>" with
// info:is. A table exists if hbase:meta has its table:state. A descriptor without a state is a leftover of a creation
// or a deletion that a crash interrupted, and the next start removes it. Threads: any.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/table_descriptor.h"
#include "region/region.h"
#include "server/master/meta/monotonic_timestamps.h"

namespace vaquita {

class MasterStore {
 public:
  static const RegionInfo& Info();
  static std::shared_ptr<const TableDescriptor> Descriptor();

  // Reads what is there; a new store gets a cluster id. `clock` outlives it.
  static absl::StatusOr<std::unique_ptr<MasterStore>> Load(std::shared_ptr<Region> region, Clock* clock);

  const std::string& cluster_id() const { return cluster_id_; }
  absl::Status SetClusterId(const std::string& id);  // for a cluster whose store was lost
  // The descriptors found by Load.
  const std::map<TableName, std::shared_ptr<const TableDescriptor>>& descriptors() const { return descriptors_; }
  // Returns a number above that of any earlier life of this master. A server that has seen it refuses older masters.
  absl::StatusOr<int64_t> NextEpoch();
  // The first of `count` procedure ids that no earlier life of this master used.
  absl::StatusOr<int64_t> ReserveProcedureIds(int64_t count);

  absl::Status Flush() { return region_->Flush(); }

  // Ends the table's restoration in the same write: the descriptor is that of the restored table, or one that came
  // later. `durability`: kSyncWal if a synced edit of hbase:meta follows, which is behind this in the log.
  absl::Status PutDescriptor(const TableDescriptor& table, Durability durability = Durability::kFsyncWal);
  // Does not sync: a table without rows in hbase:meta is gone, and the next start deletes its descriptor, too.
  absl::Status DeleteDescriptor(const TableName& table);

  // A table's restoration, to be decided by hbase:meta: the descriptor that the table then has, and the id of the
  // regions that it then has, and no other region ever had.
  struct Restoration {
    std::shared_ptr<const TableDescriptor> table;
    int64_t region_id = 0;
  };
  absl::Status PutRestoration(const TableDescriptor& table, int64_t region_id);
  absl::Status DeleteRestoration(const TableName& table);
  // Returns the restorations that Load found.
  const std::vector<Restoration>& restorations() const { return restorations_; }

  // Marks of region servers, by name, for the next master.
  enum class ServerMark {
    kDead,      // its recovery was decided
    kDraining,  // HBase: decommissioned; its regions leave
    kClosed     // decommissioned, and it keeps its regions
  };
  absl::Status MarkServer(std::string_view server, ServerMark mark, bool on);
  absl::StatusOr<std::vector<std::string>> MarkedServers(ServerMark mark);

  // A procedure's notes. Put adds columns, and replaces those of the same names.
  using Columns = std::map<std::string, std::string>;
  absl::Status PutProcedure(int64_t id, const Columns& columns);
  absl::Status ReplaceProcedure(int64_t id, const Columns& columns);  // no other columns stay
  absl::Status DeleteProcedure(int64_t id);
  absl::StatusOr<std::map<int64_t, Columns>> Procedures();

  // A replication peer, by its id.
  struct ReplicationPeer {
    bool enabled = true;
    std::string config;  // the bytes of HBase's message ReplicationPeer
  };
  absl::Status PutReplicationPeer(const std::string& id, const ReplicationPeer& peer);
  absl::Status DeleteReplicationPeer(const std::string& id);
  absl::StatusOr<std::map<std::string, ReplicationPeer>> LoadReplicationPeers();

  // A switch that survives a restart; `otherwise` if it was never set.
  absl::StatusOr<bool> GetSwitch(std::string_view name, bool otherwise);
  absl::Status SetSwitch(std::string_view name, bool on);

 private:
  MasterStore(std::shared_ptr<Region> region, Clock* clock) : region_(std::move(region)), clock_(clock) {}
  Mutation PutOf(std::string row, const Columns& columns, Durability durability);
  Mutation DeleteOf(std::string row, Durability durability);
  // Rows of procedures are not synced: what a procedure has done is, and the log keeps the order of all rows.
  absl::Status Put(std::string row, const Columns& columns, Durability durability = Durability::kFsyncWal);
  absl::Status Delete(std::string row, Durability durability = Durability::kFsyncWal);
  absl::StatusOr<std::string> Get(std::string_view row, std::string_view qualifier);  // empty: absent
  // Adds to a number, which is `start` before the first time; returns what it was.
  absl::StatusOr<int64_t> Add(std::string_view row, std::string_view qualifier, int64_t start, int64_t amount);
  absl::Status LoadDescriptors();
  absl::Status LoadRestorations();

  const std::shared_ptr<Region> region_;
  MonotonicTimestamps clock_;
  std::string cluster_id_;
  std::map<TableName, std::shared_ptr<const TableDescriptor>> descriptors_;
  std::vector<Restoration> restorations_;
};

}  // namespace vaquita

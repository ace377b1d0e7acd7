// server/master/meta/meta_table.h: hbase:meta: the regions, their servers, and each table's state.
//
// It is an ordinary region with HBase's row keys and columns, so clients scan it like any other. A row
// "table,startkey,id.encoded." has info:regioninfo and info:state. For the server where the region is or was open last
// it has info:server, info:serverstartcode, info:sn and info:seqnumDuringOpen. A split parent keeps its row, with
// info:splitA and info:splitB, and a merged region names its parents in info:mergeNNNN, until the catalog janitor finds
// no shared file. A row "table" has table:state. Replicas are on the primary's server, so their columns
// (info:server_0001, info:state_0001 and so on) repeat the primary's. Invariant: a MetaEdit is one write of one region,
// so after a crash all of it exists or nothing; nothing does if the region refuses one of its mutations. Threads: any.
// Source: MetaTableAccessor, CatalogFamilyFormat, RegionStateStore (2.6).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/cluster_status.h"
#include "model/operations.h"
#include "region/region.h"
#include "server/master/meta/assigned_region.h"
#include "server/master/meta/monotonic_timestamps.h"

namespace vaquita {

// Parses the text of info:state. Returns nullopt if it is not a state of HBase, kOffline for states that Vaquita does
// not use.
std::optional<RegionState> ParseRegionState(std::string_view text);
// Returns whether it is "host:port", as in info:server.
bool IsHostAndPort(std::string_view text);
// Returns "server" for the columns "server" and "server_0001", and so for the others that replicas have columns of;
// empty for any other column.
std::string_view PrimaryColumn(std::string_view qualifier);

// Changes of meta that are written atomically.
class MetaEdit {
 public:
  // Puts a region's row. An empty `server_name` leaves the location as it is, as HBase does for a closed region.
  void PutRegion(const RegionInfo& info, RegionState state, std::string_view server_name);
  // Puts a region's row with its home and, while it is OPENING, its target. Each may be empty.
  void PutAssignment(const RegionInfo& info, RegionState state, std::string_view home, std::string_view target);
  void PutSplitParent(const RegionInfo& parent, const RegionInfo& a, const RegionInfo& b);
  void PutMergeParents(const RegionInfo& merged, const std::vector<RegionInfo>& parents);
  void DeleteMergeParents(const RegionInfo& merged, size_t parents);
  void DeleteRegion(const RegionInfo& info);
  void DeleteRow(std::string_view key);  // with all its columns
  void PutTableState(const TableName& table, TableState state);
  void DeleteTableState(const TableName& table);

 private:
  friend class MetaTable;
  Mutation& PutFor(const std::string& row);  // the last one if it puts into that row, else a new one
  std::vector<Mutation> mutations_;
};

class MetaTable {
 public:
  static const RegionInfo& Info();  // "hbase:meta,,1", 1588230740
  static std::shared_ptr<const TableDescriptor> Descriptor();

  // Opens meta. The timestamps of its edits are after all existing ones. `clock` outlives it.
  static absl::StatusOr<std::unique_ptr<MetaTable>> Open(std::shared_ptr<Region> region, Clock* clock);
  const std::shared_ptr<Region>& region() const { return region_; }

  // Writes the edit, and for each region the columns of its replicas.
  absl::Status Apply(MetaEdit edit);
  // Sets how many replicas the table's regions have in later edits. A table begins with one, the primary.
  void SetReplication(const TableName& table, int32_t replicas);
  // Gives the rows of the table's regions the columns of so many replicas as SetReplication says, and removes others.
  absl::Status AlignReplicas(const TableName& table);
  // Waits, a millisecond or two, until a read of "before now" sees every edit. AsyncAdmin reads table states so
  // (AsyncMetaTableAccessor, 2.6), and would otherwise not find the table that it has just created.
  void LetEditsPass() const { clock_.LetPass(); }

  struct Row {
    std::string key;  // the region's name
    AssignedRegion region;
    std::vector<RegionInfo> daughters;      // two for a split parent
    std::vector<RegionInfo> merge_parents;  // for a merged region
    bool has_replicas = false;              // columns of them
  };
  struct Contents {
    std::vector<Row> regions;  // in meta's order
    std::map<TableName, TableState> states;
  };
  struct BadRow {
    std::string key;
    absl::Status why;
  };
  // Load all rows, or those of one table's regions, split parents included. Those that cannot be read go to `*bad`, or
  // nowhere if it is null.
  absl::StatusOr<Contents> Load(std::vector<BadRow>* bad = nullptr);
  absl::StatusOr<std::vector<Row>> LoadTable(const TableName& table, std::vector<BadRow>* bad = nullptr);
  // Returns whether `is_one` is true for a region whose row can be read. Reads little more than the rows up to it.
  absl::StatusOr<bool> HasRegion(const std::function<bool(const RegionInfo&)>& is_one);

 private:
  MetaTable(std::shared_ptr<Region> region, Clock* clock) : region_(std::move(region)), clock_(clock) {}
  // `bad` may be null.
  absl::StatusOr<Contents> Read(const RowRange& rows, std::vector<BadRow>* bad);
  int32_t ReplicationOf(const TableName& table) const;
  void AddReplicas(MetaEdit* edit) const;
  absl::Status Write(std::vector<Mutation> mutations);

  const std::shared_ptr<Region> region_;
  // Taken alone to align replicas, so that no edit changes a region between the look at it and the write.
  mutable std::shared_mutex edits_mutex_;
  std::map<TableName, int32_t> replication_;  // only tables with more than one; under edits_mutex_
  MonotonicTimestamps clock_;
};

}  // namespace vaquita

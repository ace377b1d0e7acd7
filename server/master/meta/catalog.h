// server/master/meta/catalog.h: the tables and their regions in memory, from which the master answers.
//
// hbase:meta and master:store are the truth; this is their image, changed after them. A table is in it from the moment
// its creation is committed until its deletion is. Threads: any; readers do not wait for procedures.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/table_descriptor.h"
#include "server/master/meta/assigned_region.h"

namespace vaquita {

class Catalog {
 public:
  // Errors of the readers: kTableNotFound, kUnknownRegion.
  bool Contains(const TableName& table) const;
  bool IsBroken(const TableName& table) const;  // PutBroken
  absl::StatusOr<std::shared_ptr<const TableDescriptor>> Descriptor(const TableName& table) const;
  absl::StatusOr<TableState> State(const TableName& table) const;
  absl::StatusOr<std::vector<AssignedRegion>> Regions(const TableName& table) const;  // in meta's order
  // Returns the region where clients look for the row: the last one of hbase:meta that begins at or before it.
  absl::StatusOr<AssignedRegion> Locate(const TableName& table, std::string_view row) const;
  // Finds a region by encoded or full name. A replica's name finds its primary, with the replica's id.
  absl::StatusOr<AssignedRegion> FindRegion(std::string_view region) const;
  std::vector<TableName> Tables() const;       // in order
  size_t TablesIn(std::string_view ns) const;  // those that are broken, too
  // The numbers of regions by server and state, and of tables by state.
  using RegionCounts = std::map<std::pair<std::string, RegionState>, int64_t>;
  RegionCounts CountRegions() const;
  std::map<TableState, int64_t> CountTables() const;
  std::map<TableName, size_t> CountRegionsOfTables() const;

  void PutTable(std::shared_ptr<const TableDescriptor> descriptor, TableState state,
                std::vector<AssignedRegion> regions);
  // Adds a table of whose rows hbase:meta or master:store lost some. Its readers get the error `why`, and lists of
  // tables do not have it.
  void PutBroken(const TableName& table, const std::string& why);
  void DropTable(const TableName& table);
  void SetDescriptor(std::shared_ptr<const TableDescriptor> descriptor);
  void SetState(const TableName& table, TableState state);
  void SetRegions(const TableName& table, const std::vector<AssignedRegion>& regions);
  void ReplaceRegions(const TableName& table, const std::vector<RegionInfo>& old_ones,
                      const std::vector<AssignedRegion>& new_ones);
  // Notes that a region is offline, by its encoded or full name. Its data stay at home. A replica stays with its
  // primary.
  absl::Status SetOffline(std::string_view region);

 private:
  // A region's start key and id, as text: the order of hbase:meta. Regions that overlap may begin at one key.
  using Key = std::pair<std::string, std::string>;
  struct Table {
    std::shared_ptr<const TableDescriptor> descriptor;
    TableState state = TableState::kEnabled;
    std::map<Key, AssignedRegion> regions;
  };
  struct Place {
    TableName table;
    Key key;
    int32_t replica_id = 0;
  };
  static Key KeyOf(const RegionInfo& info);
  absl::StatusOr<const Table*> Find(const TableName& table) const;  // under mutex_
  void AddRegion(Table& table, const AssignedRegion& region);
  void RemoveRegion(Table& table, const RegionInfo& info);
  void AddPlaces(const Table& table, const RegionInfo& info);
  void RemovePlaces(const Table& table, const RegionInfo& info);

  mutable std::shared_mutex mutex_;
  std::map<TableName, Table> tables_;
  std::map<TableName, std::string> broken_;           // with the reason
  std::map<std::string, Place, std::less<>> places_;  // by encoded name, replicas too
};

}  // namespace vaquita

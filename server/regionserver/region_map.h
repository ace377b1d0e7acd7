// server/regionserver/region_map.h: the open regions of a server, by encoded name, by full name, and by table and row.
//
// Every request looks a region up, and hardly any changes the map: lookups share a lock that only an open, a close, a
// split or a merge takes alone, for as long as a few insertions take. Threads: any.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/hash/hash.h"
#include "region/region.h"

namespace vaquita {

class RegionMap {
 public:
  std::shared_ptr<Region> Find(std::string_view name) const;  // null: not here
  // Finds a region by its own name or a replica's: this server answers for all replicas of its regions.
  std::shared_ptr<Region> FindWithReplicas(std::string_view name) const;
  // Returns the number of the replica of that name; 0 if no region here has such a replica.
  int32_t ReplicaIdOf(std::string_view name) const;
  // Returns the encoded name of the region of `table` that holds `row`; empty if it is not here.
  std::string FindName(const TableName& table, std::string_view row) const;
  std::vector<std::shared_ptr<Region>> All() const;  // by table and start key
  // Changes with the regions.
  int64_t version() const { return version_.load(std::memory_order_acquire); }

  void Add(const std::vector<std::shared_ptr<Region>>& regions) { Replace({}, regions); }
  void Remove(const std::shared_ptr<Region>& region) { Replace({region}, {}); }
  // As one: no request sees both or neither.
  void Replace(const std::vector<std::shared_ptr<Region>>& old_ones,
               const std::vector<std::shared_ptr<Region>>& new_ones);
  // Takes the number of its replicas from the region's altered table.
  void UpdateReplicas(const std::shared_ptr<Region>& region);

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view name) const { return absl::HashOf(name); }
  };
  template <typename T>
  using ByName = absl::flat_hash_map<std::string, T, Hash, std::equal_to<>>;

  // By table and start key. Regions have the same start key only if hbase:meta is inconsistent, so their names count,
  // too.
  using Place = std::tuple<TableName, std::string, std::string>;
  static Place PlaceOf(const Region& region, std::string encoded_name) {
    return {region.info().table, region.info().start_key, std::move(encoded_name)};
  }

  struct Replica {
    std::shared_ptr<Region> region;
    int32_t id = 0;
  };
  void AddReplicas(const std::shared_ptr<Region>& region);
  void RemoveReplicas(const Region& region);

  mutable std::shared_mutex mutex_;
  ByName<std::shared_ptr<Region>> by_name_;  // by both names
  std::map<Place, std::shared_ptr<Region>> by_place_;
  ByName<Replica> replicas_;  // by both names
  absl::flat_hash_map<const Region*, std::vector<std::string>> names_of_replicas_;
  std::atomic<bool> has_replicas_ = false;  // most servers have none, and need not look
  std::atomic<int64_t> version_ = 0;
};

}  // namespace vaquita

// region/write_group.h: puts of one request or several, into any regions of one database, that are written together.
//
// A write to the log costs as much as the rest of a put, and threads that write at the same time wait for each other.
// Region::AddToGroup adds a put. From then until Commit the group holds the row's lock and a pass of the region, so
// nobody sees or changes the row. Threads: one at a time, which does not wait for anything else meanwhile.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "engine/store_batch.h"
#include "engine/store_db.h"
#include "model/operations.h"
#include "region/region_gate.h"
#include "region/row_lock.h"

namespace vaquita {

class Region;

class WriteGroup {
 public:
  WriteGroup() = default;
  // Puts that are not committed are not done.
  ~WriteGroup() = default;
  WriteGroup(const WriteGroup&) = delete;

  bool empty() const { return puts_.empty(); }
  // Returns the regions of the puts, each once.
  std::vector<std::shared_ptr<Region>> Regions() const;
  // Writes all puts, or none if it returns an error. The group is empty then, also if memory runs out.
  absl::Status Commit();

 private:
  friend class Region;
  struct Put {
    Put(std::shared_ptr<Region> its_region, RegionGate* gate, bool short_waits, std::string_view its_row)
        : region(std::move(its_region)), pass(gate, short_waits), row(its_row), key(row) {}

    const std::shared_ptr<Region> region;
    const GatePass pass;
    const std::string row;
    const std::string_view key;  // `row`'s bytes, for the lock
    std::optional<HeldRows> lock;
  };

  StoreDb* db_ = nullptr;  // the puts' one
  std::deque<Put> puts_;
  StoreBatch batch_;
  Durability durability_ = Durability::kUseDefault;  // the strongest of the puts
  bool broken_ = false;                              // the batch has a part of a put, for want of memory
};

}  // namespace vaquita

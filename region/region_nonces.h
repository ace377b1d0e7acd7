// region/region_nonces.h: the nonces of a region's operations, stored with its data.
//
// A region that gets an operation with a nonce keeps a store beside those of its families, ".nonces", which no family
// can be called. A nonce is a cell of that store, in the row that the operation changes, written in the same batch. So
// after any crash it exists if and only if the change does. It is in the same log, and is flushed, handed over, split
// and merged by the same hard links. A TTL of half an hour drops it. Reads, metrics and snapshots do not see this
// store, and the first such operation creates it.
//
// While the region is open, its callers remember its nonces themselves (server/regionserver/operation_nonces.h). So the
// store is read only for half an hour after an opening that found one, for operations from before the opening. Threads:
// any. Source: WALKey's nonce, ServerNonceManager.reportOperationFromWal (2.6), where a move and a flush lose nonces.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/call_context.h"
#include "engine/store_db.h"
#include "model/cell_block.h"
#include "model/nonce.h"
#include "model/region_info.h"

namespace vaquita {

class RegionNonces {
 public:
  static constexpr std::string_view kFamily = ".nonces";
  static StoreSpec Spec(const RegionInfo& info, int64_t memstore_flush_bytes);

  // `db` outlives it, and may have the store already.
  RegionNonces(StoreDb* db, StoreSpec spec);

  // Creates the store if it does not exist, which takes a sync of the disk. Returns WouldWait() instead if the context
  // asks for short waits. REQUIRES: the region does not close meanwhile.
  absl::Status Ready(const CallContext& context);
  // Adds the nonce to the batch. Find will return `newest_ms`. REQUIRES: Ready().
  void Add(const Nonce& nonce, std::string_view row, int64_t now_ms, int64_t newest_ms, StoreBatch* batch) const;
  // Looks for an operation on `row` that was done before this region was opened. Returns the newest timestamp of its
  // answer.
  absl::StatusOr<std::optional<int64_t>> Find(const Nonce& nonce, std::string_view row) const;

  // Appends the store, if it exists, to `stores`.
  void AppendTo(std::vector<std::shared_ptr<Store>>* stores) const;
  std::shared_ptr<Store> store() const;  // or null
  int64_t MemstoreBytes() const;

 private:
  StoreDb* const db_;
  const StoreSpec spec_;
  int64_t earlier_until_ms_ = 0;  // until then the store may know operations from before the opening
  std::mutex making_;
  std::atomic<bool> ready_ = false;  // store_ will not change any more
  mutable std::mutex mutex_;         // for store_, until it is ready
  std::shared_ptr<Store> store_;
};

// Returns the newest timestamp among `cells`; 0 if they are empty.
int64_t NewestTimestamp(const CellBlock& cells);

}  // namespace vaquita

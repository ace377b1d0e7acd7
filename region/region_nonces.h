// region/region_nonces.h: what a region has done already, by its nonces, kept with the data.
//
// A region that gets an operation with a nonce keeps a store beside those of its families, ".nonces", which no family
// can be called. A nonce is a cell there: of the row that the operation changes, written in its batch. So it is there
// if and only if the change is, after any crash; it is in the same log, is flushed, handed over, split and merged by
// the same hard links; and a TTL of half an hour drops it. Reads, metrics and snapshots do not see this store, and a
// region without such operations has none.
//
// While the region is open, those who call it remember its nonces themselves (server/regionserver/operation_nonces.h).
// So the store is read only for half an hour after an opening that found one: what was done before may be asked for
// again. Threads: any. Source: WALKey's nonce, ServerNonceManager.reportOperationFromWal (2.6), where a move and a
// flush forget.
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
#include "engine/store_db.h"
#include "model/cell_block.h"
#include "model/nonce.h"
#include "model/region_info.h"

namespace vaquita {

class RegionNonces {
 public:
  static constexpr std::string_view kFamily = ".nonces";
  static StoreSpec Spec(const RegionInfo& info, int64_t memstore_flush_bytes);

  // `db` outlives it, and has the store if there is one.
  RegionNonces(StoreDb* db, StoreSpec spec);

  // Makes the store, if that was not done, which takes a sync of the disk. REQUIRES: the region does not close
  // meanwhile. WouldWait() where waits are short.
  absl::Status Ready();
  // REQUIRES: Ready(). `newest_ms` is what Find is to answer.
  void Add(const Nonce& nonce, std::string_view row, int64_t now_ms, int64_t newest_ms, StoreBatch* batch) const;
  // Looks for an operation on `row` that was done before this region was opened. Returns the newest timestamp that it
  // gave.
  absl::StatusOr<std::optional<int64_t>> Find(const Nonce& nonce, std::string_view row) const;

  // The store, if there is one, at the end of `stores`.
  void AppendTo(std::vector<std::shared_ptr<Store>>* stores) const;
  std::shared_ptr<Store> store() const;  // or null
  int64_t MemstoreBytes() const;

 private:
  StoreDb* const db_;
  const StoreSpec spec_;
  int64_t earlier_until_ms_ = 0;  // until then some that were done before the opening are known
  std::mutex making_;
  std::atomic<bool> ready_ = false;  // store_ will not change any more
  mutable std::mutex mutex_;         // for store_, until it is ready
  std::shared_ptr<Store> store_;
};

// The newest timestamp among `cells`; 0: there are none.
int64_t NewestTimestamp(const CellBlock& cells);

}  // namespace vaquita

// engine/nonce_store.h: the nonces of all operations on a database's regions, in one store beside theirs.
//
// A nonce is a cell of this store: its row is the table's name, 0x00 and the row that the operation changed, and its
// qualifier is the nonce. The cell is written in the same batch as the change, and a batch with a nonce is always in
// the log. So after any crash the nonce exists if and only if the change does, and a flush of a region need not flush
// the nonces. As the key has no region, a split, a merge or a drop leaves the nonces as they are. A TTL of half an hour
// drops them. A region that moves to another database takes its own along (Export, Import). No region has this store,
// StoreDb::Open knows it by itself, and the first operation with a nonce creates it.
//
// Lost nonces: if the store is damaged, nobody can say which operations of before were done. So for half an hour Find
// returns an error, in this database and in every one that gets a region from it. Threads: any. Source: WALKey's nonce,
// ServerNonceManager.reportOperationFromWal (2.6), where a move and a flush lose nonces.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/call_context.h"
#include "engine/store_db.h"
#include "model/nonce.h"
#include "model/region_info.h"
#include "model/region_of_table.h"

namespace vaquita {

class NonceStore {
 public:
  // No family and no region can be called so.
  static constexpr std::string_view kFamily = ".nonces";
  static constexpr std::string_view kName = "shared/.nonces";
  static StoreSpec Spec();
  // Returns the spec of the store that an older release gave the region for its nonces.
  static StoreSpec FormerSpec(const RegionInfo& region);

  explicit NonceStore(StoreDb* db) : db_(db) {}  // outlives it

  // Takes the store that the database has. StoreDb::Open calls it once, after all stores were opened.
  absl::Status Open();
  // Takes the nonces of the stores that an older release gave these regions, and drops these stores. Call it before the
  // first operation.
  absl::Status TakeFormer(std::span<const RegionOfTable> regions);

  // Creates the store if it does not exist, which takes a sync of the disk. Returns WouldWait() instead if the context
  // asks for short waits.
  absl::Status Ready(const CallContext& context = {});
  // Adds the nonce to the batch. Find will return `newest_ms`. REQUIRES: Ready().
  void Add(const TableName& table, std::string_view row, const Nonce& nonce, int64_t now_ms, int64_t newest_ms,
           StoreBatch* batch) const;
  // Looks for an operation on `row`. Returns the newest timestamp of its answer, or kCorruptHFile if nonces are lost.
  absl::StatusOr<std::optional<int64_t>> Find(const TableName& table, std::string_view row, const Nonce& nonce) const;
  // Returns whether Find may find an operation, or fail.
  bool MayKnow() const { return store() != nullptr || lost_until_ms_ > 0; }

  // Writes the nonces of the region's rows to a file in the new folder, whose parent exists, and syncs it. Returns no
  // file if there is none.
  absl::StatusOr<std::vector<ExportedFile>> Export(const RegionInfo& region, const std::string& folder) const;
  // Adds the nonces of the region's rows in exported files, or in those of FormerSpec's store, and syncs.
  absl::Status Import(const RegionInfo& region, const std::string& folder, const std::vector<ExportedFile>& files);

  std::shared_ptr<Store> store() const;  // or null

 private:
  absl::Status Lose(int64_t when_ms);
  absl::Status CopyFormer(const RegionInfo& region, const std::shared_ptr<Store>& store, StoreBatch* batch);

  StoreDb* const db_;
  std::atomic<int64_t> lost_until_ms_ = 0;
  std::mutex making_;
  std::atomic<bool> ready_ = false;  // store_ will not change any more
  mutable std::mutex mutex_;         // for store_, until it is ready
  std::shared_ptr<Store> store_;
};

}  // namespace vaquita

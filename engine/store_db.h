// engine/store_db.h: one RocksDB that holds a server's stores: one column family per store, one write-ahead log for
// all.
//
// A store is one HBase family of one region; its column family is named "<encoded region name>/<family>". All of a
// store's files are RocksDB L0 files: one L0 file is one HBase store file. Compaction is HBase's (compaction_policy.h),
// run by the caller of Compact(); RocksDB itself only flushes full memtables. Threads: every method may be called from
// any thread unless it says otherwise. Ownership: a StoreDb owns its RocksDB and its Stores; Stores are handed out as
// shared_ptr so that an open scanner keeps the column family it reads alive after the store was dropped. Destroy all
// scanners before the StoreDb.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/options.h"
#include "base/task_monitor.h"
#include "engine/rocksdb/store_spec.h"
#include "engine/store.h"
#include "engine/store_batch.h"
#include "engine/write_health.h"
#include "model/cache_eviction.h"
#include "model/durability.h"
#include "model/store_metrics.h"

namespace rocksdb {
class ColumnFamilyHandle;
class DB;
class Iterator;
}  // namespace rocksdb

namespace vaquita {

class DamageControl;
class NonceStore;
class StoreRegistry;
struct CompactionPlan;

// Returns the spec that loses nothing, for a store that is known by its name alone: the whole range of rows, all
// versions, no TTL, and deleted cells kept.
StoreSpec KeepAllOf(std::string_view store_name);

// A store file outside a database, with the facts that RocksDB needs to import it.
struct ExportedFile {
  std::string name;
  int32_t level = 0;
  uint64_t smallest_sequence = 0;
  uint64_t largest_sequence = 0;
  int64_t bytes = 0;

  friend bool operator==(const ExportedFile&, const ExportedFile&) = default;
};

// A store to be made of exported files.
struct StoreImport {
  StoreSpec to;
  std::string folder;
  std::vector<ExportedFile> files;
};

class KeptFiles {
 public:
  virtual ~KeptFiles() = default;
};

struct StoreDbOptions {
  std::string path;
  const Options* options = nullptr;  // outlives the StoreDb
  Clock* clock = nullptr;            // outlives the StoreDb
  // Opens it for exports alone: its memstores are quick to fill from the log, and slow to read.
  bool for_export = false;
  // Waits for the disk as durability asks. If false, it never does: for data that go when the process ends.
  bool syncs = true;
  // Fails the open if any store is damaged. If false, the other stores can be used (StoreDb::DamageOf).
  bool refuse_damage = false;
};

class StoreDb final {
 public:
  // Opens the database in `options.path`, creating it if it is missing. Every column family found there is offered to
  // `resolve`, but for nonces(): it returns the store's spec, or nullptr if it does not know the store. An unknown
  // store is opened as KeepAllOf says, and listed by UnknownStores, so that the caller decides about it. Open drops
  // nothing. Returns FailedPrecondition, in one line, if another process has the folder open; DataLoss, naming the
  // file, if the damage leaves no store that can be used.
  using Resolve = std::function<std::unique_ptr<StoreSpec>(std::string_view store_name)>;
  static absl::StatusOr<std::unique_ptr<StoreDb>> Open(const StoreDbOptions& options, const Resolve& resolve);
  ~StoreDb();
  StoreDb(const StoreDb&) = delete;
  StoreDb& operator=(const StoreDb&) = delete;

  // Returns the store called `name`, or null.
  std::shared_ptr<Store> Find(std::string_view name) const;
  // Returns kCorruptHFile, with the damage, if the store called `name` may have lost cells with a damaged log or file.
  // The store must not be served then. Find may not know it.
  absl::Status DamageOf(std::string_view name) const;
  std::vector<std::string> DamagedStores() const;
  // Accepts the loss: DamageOf is OK for all stores from now on. Damaged files move to the new folder `keep`, whose
  // parent is created.
  absl::Status AcceptDamage(const std::string& keep);
  // Returns the existing stores that `resolve` did not know when the database was opened, by name.
  std::vector<std::shared_ptr<Store>> UnknownStores() const;
  // Creates empty stores, all in one call (800 cost 70 ms).
  absl::StatusOr<std::vector<std::shared_ptr<Store>>> Create(std::vector<StoreSpec> specs);
  // Drops stores. Their files are deleted after the last scanner is destroyed.
  absl::Status Drop(std::span<const std::string> names);

  // Applies `batch` atomically. The promise of `durability` holds when it returns.
  absl::Status Write(StoreBatch* batch, Durability durability);

  // Makes iterators over `stores` that show one moment of the database (a write is seen in all of them or in none),
  // over keys in [lower, upper); an empty bound means no bound. They see every cell of that moment as long as they
  // live, in spite of flushes, compactions and drops. `one_row`: the range lies inside one row and is read
  // forwards, so row blooms are consulted. For the engine alone: region code reads through StoreScanner.
  struct IteratorBounds {
    std::string lower;
    std::string upper;
    bool one_row = false;
    bool cache_blocks = true;
  };
  absl::Status NewIterators(std::span<const std::shared_ptr<Store>> stores, IteratorBounds bounds,
                            std::vector<std::unique_ptr<rocksdb::Iterator>>* iterators) const;

  // Writes the memstores of `stores` to store files and waits for it.
  absl::Status Flush(std::span<const std::shared_ptr<Store>> stores);
  // Likewise for what stores share: the nonces and the notes.
  absl::Status FlushSharedStores();

  // Runs one compaction of `store` in the calling thread: of the files that HBase's policy selects (kMinor), or of all
  // of them (kMajor, which drops delete markers). Returns whether it had files to compact. One at a time per store.
  // Returns Cancelled if it was interrupted (Store::HoldCompactions).
  absl::StatusOr<bool> Compact(const std::shared_ptr<Store>& store, CompactionKind kind);
  // Returns whether the policy would select files now, and sets `*kind`: minor, or major if a periodic one is due.
  bool NeedsCompaction(const Store& store, CompactionKind* kind) const;
  // Returns the bytes that Compact(store, kind) would read now; 0 if it would not run.
  int64_t CompactionBytes(const Store& store, CompactionKind kind) const;

  // Makes `to` (new stores, whose specs bound them) out of the files of `from` by hard links: for a split, each
  // daughter's store from the parent's; for a merge, one store from two. `from` is flushed first and must get no writes
  // meanwhile; it is left as it is. A store that exists under the new name is replaced (a leftover). FailedPrecondition
  // for a merge while a source has references.
  absl::StatusOr<std::shared_ptr<Store>> Link(std::span<const std::shared_ptr<Store>> from, StoreSpec to);

  // Hard-links the present files of `store`, without its memstore, into `folder` for later Imports. The folder and its
  // parent are created. Writes, flushes and compactions may go on meanwhile.
  absl::StatusOr<std::vector<ExportedFile>> Export(const std::shared_ptr<Store>& store, const std::string& folder);
  // Keeps all store files while the returned object lives; until then flushes do not wait for the manifest's sync, and
  // its destruction syncs once. For many Exports in a row: each alone ends with such a sync.
  absl::StatusOr<std::unique_ptr<KeptFiles>> KeepFiles();
  // Makes new stores, all in one call, from the files of an Export, by hard links. The exported files stay.
  absl::StatusOr<std::vector<std::shared_ptr<Store>>> Import(std::vector<StoreImport> imports);

  // Puts off the syncs of Write and PutNotes until the release, which syncs the log once. For the writes of a start,
  // on which nobody relies yet.
  void HoldLogSyncs() { log_syncs_held_ = true; }
  absl::Status ReleaseLogSyncs();

  // Notes are small named values beside the stores. PutNotes writes all of them atomically; an empty value removes a
  // note. They are in the log, in the order of the writes to the stores.
  using NoteMap = std::map<std::string, std::string>;
  absl::Status PutNotes(const NoteMap& notes, Durability durability = Durability::kFsyncWal);
  absl::StatusOr<NoteMap> Notes() const;

  // Returns the nonces of the operations on all stores.
  NonceStore* nonces() const { return nonces_.get(); }

  // Drops the cached blocks that nobody reads at the moment, of all stores: they share one cache.
  CacheEviction DropCachedBlocks();

  int64_t MemstoreBytes() const;  // all stores
  StoreDbMetrics Metrics() const;
  // Returns whether writes work: they fail while the disk is full, or after the folder was removed. Costs a system
  // call.
  WriteHealth::State Writes() const;
  const Options& options() const { return *options_.options; }
  Clock* clock() const { return options_.clock; }
  TaskMonitor* tasks() const { return tasks_.get(); }  // flushes and compactions

 private:
  // A store that is about to be opened or created.
  struct Opening;
  // Names the folder that a path leads to; all zeros: none.
  struct FolderIdentity {
    uint64_t device = 0;
    uint64_t number = 0;

    static FolderIdentity Of(const std::string& path);
    friend bool operator==(const FolderIdentity&, const FolderIdentity&) = default;
  };
  using Handles = std::vector<rocksdb::ColumnFamilyHandle*>;

  explicit StoreDb(const StoreDbOptions& options);
  absl::Status OpenStores(const Resolve& resolve);
  absl::Status PrepareFolder() const;
  bool Exists() const;
  absl::StatusOr<std::vector<std::string>> ListStores() const;
  absl::Status MakeEnv();
  absl::StatusOr<std::vector<Opening>> PrepareStores(const Resolve& resolve) const;
  Opening Prepare(StoreSpec spec) const;
  // Opens RocksDB, if need be without stores whose files are damaged.
  absl::Status OpenRocksDb(const Resolve& resolve, std::vector<Opening>* openings, Handles* handles);
  absl::Status OpenAtAnyLevel(const Resolve& resolve, std::vector<Opening>* openings, Handles* handles);
  absl::Status TryToOpenRocksDb(const std::vector<Opening>& openings, Handles* handles);
  // Makes an opened store ready for its first operation.
  absl::Status Recover(const std::shared_ptr<Store>& store);

  rocksdb::DB* rocksdb() const;
  // Runs `change`, which creates or drops stores, with one sync of the manifest at its end for all of them.
  absl::Status WithOneSync(std::string_view doing, const std::function<absl::Status()>& change);
  std::shared_ptr<Store> Register(std::shared_ptr<StoreSettings> settings, rocksdb::ColumnFamilyHandle* handle);
  // Drops the stores of `handles` in order, and calls `forget` for each that is gone. Stops at the first that could not
  // be dropped.
  absl::Status DropHandles(const Handles& handles, const std::function<void(rocksdb::ColumnFamilyHandle*)>& forget);
  // Drops the stores that could not be dropped before and that nobody knows: their names are taken until then.
  absl::Status DropUnregistered();
  // Registers new stores if all could be made; otherwise drops those that were.
  absl::StatusOr<std::vector<std::shared_ptr<Store>>> RegisterNew(const absl::Status& made,
                                                                  std::vector<std::shared_ptr<StoreSettings>> settings,
                                                                  const Handles& handles);
  CompactionPlan Plan(const Store& store, CompactionKind kind) const;

  const StoreDbOptions options_;
  const std::unique_ptr<TaskMonitor> tasks_;
  const std::shared_ptr<Database> database_;
  const std::shared_ptr<StoreRegistry> registry_;
  const std::unique_ptr<DamageControl> damage_;
  std::unique_ptr<NonceStore> nonces_;
  std::atomic<bool> log_syncs_held_ = false;
  FolderIdentity folder_;                       // as it was opened
  std::map<std::string, StoreSpec> set_apart_;  // stores that damage_ has taken out of the database
  std::mutex stores_change_;                    // held while stores are created, dropped or linked
  Handles undropped_;                           // the stores that DropUnregistered is to drop
  std::vector<std::weak_ptr<Store>> unknown_;   // as Open found them; does not keep one that was dropped
};

}  // namespace vaquita

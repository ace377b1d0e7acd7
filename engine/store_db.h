// engine/store_db.h: one RocksDB that holds a server's stores: one column family per store, one write-ahead log for
// all.
//
// A store is one HBase family of one region; its column family is named "<encoded region name>/<family>". All of a
// store's files are RocksDB L0 files: one L0 file is one HBase store file. Compaction is HBase's (compaction_policy.h),
// run by whoever calls Compact(); RocksDB itself only flushes full memtables. Threads: every method may be called from
// any thread unless it says otherwise. Ownership: a StoreDb owns its RocksDB and its Stores; Stores are handed out as
// shared_ptr so that an open scanner keeps the column family it reads alive after the store was dropped. Destroy all
// scanners before the StoreDb.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/options.h"
#include "engine/rocksdb/store_spec.h"
#include "engine/write_health.h"
#include "model/cell.h"
#include "model/durability.h"
#include "model/family_descriptor.h"
#include "model/store_metrics.h"

namespace rocksdb {
class Iterator;
class WriteBatch;
}  // namespace rocksdb

namespace vaquita {

class StoreDb;

struct StoreFileInfo {
  std::string name;
  int64_t bytes = 0;
  int64_t entries = 0;
  std::string first_row;
  std::string last_row;
  bool reference = false;  // holds rows outside the store's range: a split's half that was not compacted yet
};

// The spec under which a store of which nothing is known but its name loses nothing: the whole range of rows, all
// versions, no TTL, and deleted cells kept.
StoreSpec KeepAllOf(std::string_view store_name);

// A store file outside of a database, and what RocksDB has to know to take it back.
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

class Store {
 public:
  virtual ~Store() = default;

  virtual const StoreSpec& spec() const = 0;
  virtual StoreMetrics Metrics() const = 0;
  virtual int64_t MemstoreBytes() const = 0;   // cheap: called after every write
  virtual int64_t StoreFileCount() const = 0;  // cheap
  virtual std::vector<StoreFileInfo> Files() const = 0;
  // Whether any file still holds rows outside the store's range; such a region is neither split nor merged.
  virtual bool HasReferences() const = 0;
  // Changes the family's options (alter). Takes effect at once for reads and for what compactions drop; block size,
  // compression and bloom filter hold for files written from now on.
  virtual absl::Status Alter(const FamilyDescriptor& family) = 0;
  // The row in the middle of the largest store file, found without a scan. Empty if there is none that
  // could split the store: no file, or the middle row is the first or the last row (as HBase refuses).
  virtual absl::StatusOr<std::string> Midkey() const = 0;
  // While they are held no compaction begins, and one that runs ends soon and without effect: the store is about to
  // close.
  virtual void HoldCompactions(bool hold) = 0;
};

// Mutations of any number of stores, applied as one. Build on one thread.
class StoreBatch {
 public:
  StoreBatch();
  ~StoreBatch();
  StoreBatch(StoreBatch&&) noexcept;
  StoreBatch& operator=(StoreBatch&&) noexcept;

  // Adds a cell. REQUIRES: bounds and timestamps already checked and filled in.
  void Add(const Store& store, std::string_view row, std::string_view qualifier, int64_t timestamp_ms, CellType type,
           std::string_view value, int64_t ttl_ms = kNoTtl);
  void Clear();
  size_t bytes() const;
  bool empty() const;

 private:
  friend class StoreDbImpl;
  // What neighbouring cells of one store add to its memstore.
  struct Share {
    const Store* store;
    int64_t bytes;
    int64_t cells;
  };

  std::unique_ptr<rocksdb::WriteBatch> batch_;
  std::vector<Share> shares_;
  std::string key_, value_;  // scratch
};

struct StoreDbOptions {
  std::string path;
  const Options* options = nullptr;  // outlives the StoreDb
  Clock* clock = nullptr;            // outlives the StoreDb
  // Opened only to have what it holds exported: its memstores are quick to fill from the log, and slow to read.
  bool for_export = false;
  // Damage of any store is an error of the open. Otherwise the others can be used (StoreDb::DamageOf).
  bool refuse_damage = false;
};

class StoreDb {
 public:
  // Opens the database in `options.path`, creating it if it is missing. Every column family found there is offered to
  // `resolve`: it returns the store's spec, or nullptr if it does not know the store. Such a store is opened as
  // KeepAllOf says, and listed by UnknownStores: who opens the database decides what becomes of it. Nothing is dropped.
  // FailedPrecondition, in one line, when another process has the folder open. DataLoss, naming the file, when it is
  // damaged so that nothing of it can be used.
  using Resolve = std::function<std::unique_ptr<StoreSpec>(std::string_view store_name)>;
  static absl::StatusOr<std::unique_ptr<StoreDb>> Open(const StoreDbOptions& options, const Resolve& resolve);
  virtual ~StoreDb() = default;

  // The store called `name`, or null.
  virtual std::shared_ptr<Store> Find(std::string_view name) const = 0;
  // kCorruptHFile, with what is wrong, if cells of the store called `name` may be lost: a damaged log had them, or a
  // file of the store. It is not to be served. Find may not know it.
  virtual absl::Status DamageOf(std::string_view name) const = 0;
  virtual std::vector<std::string> DamagedStores() const = 0;
  // Goes on without what was lost: DamageOf is OK for all stores from now on. Damaged files move to the new folder
  // `keep`, whose parent is created.
  virtual absl::Status AcceptDamage(const std::string& keep) = 0;
  // The stores that `resolve` did not know when the database was opened, and that are still there, by name.
  virtual std::vector<std::shared_ptr<Store>> UnknownStores() const = 0;
  // Creates empty stores, all in one call (800 cost 70 ms).
  virtual absl::StatusOr<std::vector<std::shared_ptr<Store>>> Create(std::vector<StoreSpec> specs) = 0;
  // Drops stores; their files go once the last scanner lets go.
  virtual absl::Status Drop(std::span<const std::string> names) = 0;

  // Applies `batch` as one; what the durability promises holds when it returns.
  virtual absl::Status Write(StoreBatch* batch, Durability durability) = 0;

  // Iterators over `stores` that show one moment of the database (no write is seen in one and not in another), over
  // keys in [lower, upper); an empty bound is none. They see every cell of that moment as long as they live, whatever
  // flushes, compactions and drops do meanwhile. `one_row`: the range lies inside one row and is read forwards, so row
  // blooms are consulted. The engine's own: region code reads through StoreScanner. `bounds` is copied.
  struct IteratorBounds {
    std::string lower;
    std::string upper;
    bool one_row = false;
    bool cache_blocks = true;
  };
  virtual absl::Status NewIterators(std::span<const std::shared_ptr<Store>> stores, const IteratorBounds& bounds,
                                    std::vector<std::unique_ptr<rocksdb::Iterator>>* iterators) const = 0;

  // Writes the memstores of `stores` to store files and waits for it.
  virtual absl::Status Flush(std::span<const std::shared_ptr<Store>> stores) = 0;

  // Runs one compaction of `store` in the calling thread, if there is one to run: the files HBase's policy selects
  // (kMinor), or all of them (kMajor, dropping delete markers). Returns whether it ran one. One at a time per store.
  // Cancelled: it was interrupted (Store::HoldCompactions).
  virtual absl::StatusOr<bool> Compact(const std::shared_ptr<Store>& store, CompactionKind kind) = 0;
  // Whether the policy would select files now: a minor one, or a periodic major one that has come due.
  virtual bool NeedsCompaction(const Store& store, CompactionKind* kind) const = 0;
  // How many bytes Compact(store, kind) would read now; 0 if there is nothing to compact.
  virtual int64_t CompactionBytes(const Store& store, CompactionKind kind) const = 0;

  // Makes `to` (new stores, whose specs bound them) out of the files of `from` by hard links: for a split, each
  // daughter's store from the parent's; for a merge, one store from two. `from` is flushed first and must get no writes
  // meanwhile; it is left as it is. A store that exists under the new name is replaced (a leftover). FailedPrecondition
  // for a merge while a source has references.
  virtual absl::StatusOr<std::shared_ptr<Store>> Link(std::span<const std::shared_ptr<Store>> from, StoreSpec to) = 0;

  // Hard-links the files that `store` has now into `folder`, which is created, with the one above it, for later
  // Imports; what its memstore holds is not among them. Writes, flushes and compactions may go on meanwhile.
  virtual absl::StatusOr<std::vector<ExportedFile>> Export(const std::shared_ptr<Store>& store,
                                                           const std::string& folder) = 0;
  // No store file goes while this lives, and flushes do not wait until it is on the disk which files there are; its end
  // sees to both. For many Exports: each one by itself ends so.
  virtual absl::StatusOr<std::unique_ptr<KeptFiles>> KeepFiles() = 0;
  // Makes new stores, all in one call, out of files that Export left, by hard links; they stay where they are.
  virtual absl::StatusOr<std::vector<std::shared_ptr<Store>>> Import(std::vector<StoreImport> imports) = 0;

  // Small named values beside the stores. Put writes all of them as one and synced; an empty value removes a note.
  using NoteMap = std::map<std::string, std::string>;
  virtual absl::Status PutNotes(const NoteMap& notes) = 0;
  virtual absl::StatusOr<NoteMap> Notes() const = 0;

  virtual int64_t MemstoreBytes() const = 0;  // all stores
  virtual StoreDbMetrics Metrics() const = 0;
  // Returns whether writes work: not while the disk is full, nor when the folder is gone. Costs a system call.
  virtual WriteHealth::State Writes() const = 0;
  virtual const Options& options() const = 0;
  virtual Clock* clock() const = 0;
};

}  // namespace vaquita

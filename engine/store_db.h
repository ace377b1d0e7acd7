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

class Store {
 public:
  virtual ~Store() = default;

  virtual const StoreSpec& spec() const = 0;
  virtual StoreMetrics Metrics() const = 0;
  virtual int64_t MemstoreBytes() const = 0;   // cheap: called after every write
  virtual int64_t StoreFileCount() const = 0;  // cheap
  virtual std::vector<StoreFileInfo> Files() const = 0;
  // Returns whether any file still holds rows outside the store's range. Such a region is neither split nor merged.
  virtual bool HasReferences() const = 0;
  // Changes the family's options (alter). Reads and compactions follow the new options at once; block size, compression
  // and bloom filter hold for files written from now on.
  virtual absl::Status Alter(const FamilyDescriptor& family) = 0;
  // Returns the row in the middle of the largest store file, found without a scan. Empty if it cannot split the store:
  // without files, or if the middle row is the first or the last row (as HBase refuses).
  virtual absl::StatusOr<std::string> Midkey() const = 0;
  // While compactions are held, no compaction begins, and a running one ends soon and without effect. For a store that
  // is about to close.
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
  // The bytes that neighbouring cells of one store add to its memstore.
  struct Share {
    const Store* store;
    int64_t bytes;
    int64_t cells;
  };

  std::unique_ptr<rocksdb::WriteBatch> batch_;
  std::vector<Share> shares_;
  std::string key_, value_, row_;  // scratch
};

struct StoreDbOptions {
  std::string path;
  const Options* options = nullptr;  // outlives the StoreDb
  Clock* clock = nullptr;            // outlives the StoreDb
  // Opens it for exports alone: its memstores are quick to fill from the log, and slow to read.
  bool for_export = false;
  // Fails the open if any store is damaged. If false, the other stores can be used (StoreDb::DamageOf).
  bool refuse_damage = false;
};

class StoreDb {
 public:
  // Opens the database in `options.path`, creating it if it is missing. Every column family found there is offered to
  // `resolve`: it returns the store's spec, or nullptr if it does not know the store. An unknown store is opened as
  // KeepAllOf says, and listed by UnknownStores, so that the caller decides about it. Open drops nothing. Returns
  // FailedPrecondition, in one line, if another process has the folder open; DataLoss, naming the file, if the damage
  // leaves no store that can be used.
  using Resolve = std::function<std::unique_ptr<StoreSpec>(std::string_view store_name)>;
  static absl::StatusOr<std::unique_ptr<StoreDb>> Open(const StoreDbOptions& options, const Resolve& resolve);
  virtual ~StoreDb() = default;

  // Returns the store called `name`, or null.
  virtual std::shared_ptr<Store> Find(std::string_view name) const = 0;
  // Returns kCorruptHFile, with the damage, if the store called `name` may have lost cells with a damaged log or file.
  // Such a store must not be served. Find may not know it.
  virtual absl::Status DamageOf(std::string_view name) const = 0;
  virtual std::vector<std::string> DamagedStores() const = 0;
  // Accepts the loss: DamageOf is OK for all stores from now on. Damaged files move to the new folder `keep`, whose
  // parent is created.
  virtual absl::Status AcceptDamage(const std::string& keep) = 0;
  // Returns the existing stores that `resolve` did not know when the database was opened, by name.
  virtual std::vector<std::shared_ptr<Store>> UnknownStores() const = 0;
  // Creates empty stores, all in one call (800 cost 70 ms).
  virtual absl::StatusOr<std::vector<std::shared_ptr<Store>>> Create(std::vector<StoreSpec> specs) = 0;
  // Drops stores. Their files are deleted after the last scanner is destroyed.
  virtual absl::Status Drop(std::span<const std::string> names) = 0;

  // Applies `batch` atomically. The promise of `durability` holds when it returns.
  virtual absl::Status Write(StoreBatch* batch, Durability durability) = 0;

  // Makes iterators over `stores` that show one moment of the database (a write is seen in all of them or in none),
  // over keys in [lower, upper); an empty bound means no bound. They see every cell of that moment as long as they
  // live, whatever flushes, compactions and drops do meanwhile. `one_row`: the range lies inside one row and is read
  // forwards, so row blooms are consulted. For the engine alone: region code reads through StoreScanner. `bounds` is
  // copied.
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

  // Runs one compaction of `store` in the calling thread: of the files that HBase's policy selects (kMinor), or of all
  // of them (kMajor, which drops delete markers). Returns whether it had files to compact. One at a time per store.
  // Returns Cancelled if it was interrupted (Store::HoldCompactions).
  virtual absl::StatusOr<bool> Compact(const std::shared_ptr<Store>& store, CompactionKind kind) = 0;
  // Returns whether the policy would select files now, and sets `*kind`: minor, or major if a periodic one is due.
  virtual bool NeedsCompaction(const Store& store, CompactionKind* kind) const = 0;
  // Returns the bytes that Compact(store, kind) would read now; 0 if it would not run.
  virtual int64_t CompactionBytes(const Store& store, CompactionKind kind) const = 0;

  // Makes `to` (new stores, whose specs bound them) out of the files of `from` by hard links: for a split, each
  // daughter's store from the parent's; for a merge, one store from two. `from` is flushed first and must get no writes
  // meanwhile; it is left as it is. A store that exists under the new name is replaced (a leftover). FailedPrecondition
  // for a merge while a source has references.
  virtual absl::StatusOr<std::shared_ptr<Store>> Link(std::span<const std::shared_ptr<Store>> from, StoreSpec to) = 0;

  // Hard-links the present files of `store`, without its memstore, into `folder` for later Imports. The folder and its
  // parent are created. Writes, flushes and compactions may go on meanwhile.
  virtual absl::StatusOr<std::vector<ExportedFile>> Export(const std::shared_ptr<Store>& store,
                                                           const std::string& folder) = 0;
  // Keeps all store files while the returned object lives; until then flushes do not wait for the manifest's sync, and
  // its destruction syncs once. For many Exports in a row: each alone ends with such a sync.
  virtual absl::StatusOr<std::unique_ptr<KeptFiles>> KeepFiles() = 0;
  // Makes new stores, all in one call, from the files of an Export, by hard links. The exported files stay.
  virtual absl::StatusOr<std::vector<std::shared_ptr<Store>>> Import(std::vector<StoreImport> imports) = 0;

  // Notes are small named values beside the stores. PutNotes writes all of them atomically and syncs; an empty value
  // removes a note.
  using NoteMap = std::map<std::string, std::string>;
  virtual absl::Status PutNotes(const NoteMap& notes) = 0;
  virtual absl::StatusOr<NoteMap> Notes() const = 0;

  virtual int64_t MemstoreBytes() const = 0;  // all stores
  virtual StoreDbMetrics Metrics() const = 0;
  // Returns whether writes work: they fail while the disk is full, or after the folder was removed. Costs a system
  // call.
  virtual WriteHealth::State Writes() const = 0;
  virtual const Options& options() const = 0;
  virtual Clock* clock() const = 0;
};

}  // namespace vaquita

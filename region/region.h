// region/region.h: one region: a range of a table's rows over one store per family.
//
// A region executes operations.h's requests with HBase's semantics: row atomicity over families, row locks in key
// order, timestamps filled in, conditions checked under the lock, deletes and versions by the engine's tracker,
// filters. Threads: every method may be called from any thread. Operations hold the region open (a shared gate); Close
// and the last step of a split or merge take the gate alone, so they wait for running operations and refuse
// (kNotServingRegion) later ones. An open scanner does not hold the gate: it reads what it pinned, and answers
// kNotServingRegion once its region has closed. Errors: a refused request has changed nothing. Ownership: shared_ptr,
// because scanners and background work keep the region they use. The StoreDb outlives all of its regions.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/read_watch.h"
#include "engine/store_db.h"
#include "model/cluster_status.h"
#include "model/nonce.h"
#include "model/operations.h"
#include "model/region_info.h"
#include "model/table_descriptor.h"
#include "region/heat/key_heat.h"

namespace vaquita {

// Limits of one answer of a scanner, on top of the Scan's own.
struct ScanLimits {
  int32_t max_results = -1;    // results; -1: no limit
  int32_t max_rows = -1;       // rows that end here; -1: no limit
  int64_t max_bytes = -1;      // of cells; -1: no limit
  int64_t deadline_ms = -1;    // by the region's clock; the answer is then whatever there is (a heartbeat)
  ReadWatch* watch = nullptr;  // may end the scan with an error; null: nobody watches
};

// How far a scanner came in one answer.
struct ScanProgress {
  int64_t rows_ended = 0;     // read to their end, or refused
  int64_t rows_filtered = 0;  // of these, those that gave nothing
  // What HBase's metrics call scanned: rows_ended without a row at whose key the filter said that all is done.
  int64_t rows_scanned = 0;
  bool at_row_limit = false;  // ScanLimits::max_rows
  bool at_deadline = false;   // the answer ends because of it, perhaps inside a row, and there is more
  std::string next_row;       // at_deadline: where the scan goes on
};

// The files of a region's stores, by family, as StoreDb::Export names them.
using RegionFiles = std::map<std::string, std::vector<ExportedFile>>;

// A region to be made of exported files.
struct RegionImport {
  RegionInfo info;
  std::string folder;
  const RegionFiles* files;  // outlives the import
};

class Region;

// An open scan of one region. Threads: one at a time.
class RegionScanner {
 public:
  virtual ~RegionScanner() = default;
  // Appends the next results to `*batch` within `limits`. Returns whether the region may have more.
  virtual absl::StatusOr<bool> Next(const ScanLimits& limits, ResultBatch* batch) = 0;
  // Why the last Next stopped: at a limit in the middle of things, or the filter said that all is done.
  virtual bool filter_finished() const = 0;
  virtual const ScanProgress& progress() const = 0;  // of the last Next
};

class Region : public std::enable_shared_from_this<Region> {
 public:
  virtual ~Region() = default;

  // The name of the store of `family` in the region called `encoded_name`.
  static std::string StoreName(std::string_view encoded_name, std::string_view family);
  // The specs of the stores that a region of `table` is created with.
  static std::vector<StoreSpec> StoreSpecs(const RegionInfo& info, const TableDescriptor& table,
                                           const Options& options);
  // The specs of all stores that it may come to have (region/region_nonces.h): for StoreDb::Open's resolver.
  static std::vector<StoreSpec> AllStoreSpecs(const RegionInfo& info, const TableDescriptor& table,
                                              const Options& options);
  // kCorruptHFile, with what is wrong, if cells of any of the region's stores may be lost (StoreDb::DamageOf).
  static absl::Status CheckDamage(const StoreDb& db, const RegionInfo& info, const TableDescriptor& table);
  // Opens the region over the stores that `db` has. kCorruptHFile, naming the family, if one of them is missing.
  static absl::StatusOr<std::shared_ptr<Region>> Open(StoreDb* db, const RegionInfo& info,
                                                      std::shared_ptr<const TableDescriptor> table);
  // Opens a region that may be new, or have new families: the stores that are missing are created.
  static absl::StatusOr<std::shared_ptr<Region>> OpenOrCreate(StoreDb* db, const RegionInfo& info,
                                                              std::shared_ptr<const TableDescriptor> table);
  // Creates many new regions of one table with one call to the database, and opens them.
  static absl::StatusOr<std::vector<std::shared_ptr<Region>>> CreateAll(StoreDb* db,
                                                                        const std::vector<RegionInfo>& infos,
                                                                        std::shared_ptr<const TableDescriptor> table);

  virtual const RegionInfo& info() const = 0;
  virtual std::shared_ptr<const TableDescriptor> table() const = 0;
  // Where its reads and writes go; null if they are not counted: those of system tables, and if Options::key_heat is
  // off.
  virtual KeyHeat* heat() const = 0;

  // Data. A row outside the region is kWrongRegion.
  // `watch` (may be null) may end it with an error.
  virtual absl::Status Get(const vaquita::Get& get, CellBlock* cells, ReadWatch* watch) = 0;
  absl::Status Get(const vaquita::Get& get, CellBlock* cells) { return Get(get, cells, nullptr); }
  // A nonce is kept with what is written, if anything is; it is the caller's to look it up before.
  virtual absl::StatusOr<MutateResult> Mutate(const Mutation& mutation, const Nonce& nonce) = 0;
  virtual absl::StatusOr<MutateResult> Mutate(const RowMutations& mutations, const Nonce& nonce) = 0;
  virtual absl::StatusOr<MutateResult> CheckAndMutate(const vaquita::CheckAndMutate& check, const Nonce& nonce) = 0;
  absl::StatusOr<MutateResult> Mutate(const Mutation& mutation) { return Mutate(mutation, Nonce()); }
  absl::StatusOr<MutateResult> Mutate(const RowMutations& mutations) { return Mutate(mutations, Nonce()); }
  absl::StatusOr<MutateResult> CheckAndMutate(const vaquita::CheckAndMutate& check) {
    return CheckAndMutate(check, Nonce());
  }
  // Looks for an operation on `row` with this nonce that was done before the region was opened here, or elsewhere:
  // returns the newest timestamp of what it answered. Known for kNonceMs.
  virtual absl::StatusOr<std::optional<int64_t>> FindEarlier(std::string_view row, const Nonce& nonce) = 0;
  // Mutations of several rows as one, if all `conditions` hold (their mutations do not count); whether they did. A row
  // outside the region is kWrongRegion if it is the first mutation's; rows of several regions cannot be changed as one:
  // kDoNotRetryIO.
  virtual absl::StatusOr<bool> MutateRows(std::span<const Mutation> mutations,
                                          std::span<const vaquita::CheckAndMutate> conditions) = 0;
  // Puts and deletes of many rows, a status each; rows are locked in key order and written with one batch per
  // durability. The bulk path.
  virtual std::vector<absl::Status> MutateBatch(std::span<const Mutation* const> mutations) = 0;
  virtual absl::StatusOr<std::unique_ptr<RegionScanner>> NewScanner(const Scan& scan) = 0;

  // Upkeep. Flush and Compact run in the calling thread.
  virtual absl::Status Flush() = 0;
  // Flushes while writes go on, until little is left for a last flush that has the region alone: before a Close.
  virtual absl::Status FlushToLittle() = 0;
  // Of some families only; none named: all. kNoSuchColumnFamily.
  virtual absl::Status FlushFamilies(const std::vector<std::string>& families) = 0;
  // Compacts the family's store, or all stores if `family` is empty. kMinor compacts if the policy selects files.
  // Returns whether any ran.
  virtual absl::StatusOr<bool> Compact(CompactionKind kind, std::string_view family) = 0;
  // While they are held none begins, and those that run end soon, as Cancelled and without effect.
  virtual void HoldCompactions(bool hold) = 0;
  virtual bool NeedsFlush() const = 0;  // memstores over the flush size
  virtual bool NeedsCompaction() const = 0;
  // The row that a split by the table's policy would use: the midkey of the largest store, after the policy's
  // restriction (KeyPrefix, DelimitedKeyPrefix). Empty if the region cannot be split.
  virtual absl::StatusOr<std::string> SplitPoint() const = 0;
  // Whether the table's policy wants a split now. `table_regions_here`: this table's regions on this server.
  virtual bool ShouldSplit(int table_regions_here) const = 0;
  virtual bool HasReferences() const = 0;
  // The files of the family's store; kNoSuchColumnFamily.
  virtual absl::StatusOr<std::vector<StoreFileInfo>> StoreFiles(std::string_view family) const = 0;
  virtual RegionMetrics Metrics() const = 0;
  // Hard-links the region's files into `folder`, a folder per family. `flush`: what the memstores hold is written to
  // files before, and then the files hold of every mutation all or nothing; otherwise it is left out.
  virtual absl::StatusOr<RegionFiles> Export(const std::string& folder, bool flush) = 0;
  // Adds those of its nonces, as they were flushed: for a region that goes on elsewhere, while a snapshot begins anew.
  virtual absl::Status ExportNonces(const std::string& folder, RegionFiles* files) = 0;
  // Makes the stores of regions of `table`, which have none yet, each out of such files of a region with the same rows.
  // Open finds them.
  static absl::Status Import(StoreDb* db, const TableDescriptor& table, const std::vector<RegionImport>& regions);
  // The table was altered: options of families change, new families get stores, dropped ones lose theirs.
  virtual absl::Status Alter(std::shared_ptr<const TableDescriptor> table) = 0;

  // Waits for running operations, then refuses every later one with kNotServingRegion. The stores stay in the database.
  virtual absl::Status Close() = 0;
  virtual bool closed() const = 0;
};

}  // namespace vaquita

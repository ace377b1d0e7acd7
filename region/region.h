// region/region.h: one region: a range of a table's rows over one store per family.
//
// A region executes the requests of operations.h with HBase's semantics. A mutation of a row is atomic over families.
// Rows are locked in key order, timestamps are filled in and conditions checked under the lock. Threads: every method
// may be called from any thread. Operations share a gate; Close and the last step of a split or merge hold it alone, so
// they wait for running operations and refuse later ones with kNotServingRegion. An open scanner does not hold the
// gate: it reads what it pinned, and answers kNotServingRegion once its region has closed. Errors: a refused request
// has changed nothing. Ownership: shared_ptr, because scanners and background work keep the region they use. The
// StoreDb outlives all of its regions.
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
#include "base/call_context.h"
#include "base/read_watch.h"
#include "engine/store_db.h"
#include "model/cell_block.h"
#include "model/cluster_status.h"
#include "model/nonce.h"
#include "model/operations.h"
#include "model/region_info.h"
#include "model/table_descriptor.h"
#include "region/heat/key_heat.h"
#include "region/last_writes.h"
#include "region/region_gate.h"
#include "region/row_lock.h"

namespace vaquita {

// Limits of one answer of a scanner, on top of the Scan's own.
struct ScanLimits {
  int32_t max_results = -1;    // results; -1: no limit
  int32_t max_rows = -1;       // rows that end here; -1: no limit
  int64_t max_bytes = -1;      // bytes of cells; -1: no limit
  int64_t deadline_ms = -1;    // by the region's clock; the answer then has the results so far (a heartbeat)
  ReadWatch* watch = nullptr;  // may end the scan with an error; may be null
};

// A scanner's progress in one answer.
struct ScanProgress {
  int64_t rows_ended = 0;     // read to their end, or refused
  int64_t rows_filtered = 0;  // those of them that gave nothing
  // HBase's metrics call these scanned: rows_ended without a row at whose key the filter said that all is done.
  int64_t rows_scanned = 0;
  bool at_row_limit = false;  // ScanLimits::max_rows
  bool at_deadline = false;   // the answer ends because of it, perhaps inside a row, and there is more
  std::string next_row;       // at_deadline: where the scan goes on
};

// Returns the newest timestamp among `cells`; 0 if they are empty.
int64_t NewestTimestamp(const CellBlock& cells);

// The files of a region's stores, by FamilyDescriptor::StoreName, as StoreDb::Export names them.
using RegionFiles = std::map<std::string, std::vector<ExportedFile>>;

// A region to make from exported files.
struct RegionImport {
  RegionInfo info;
  std::string folder;
  const RegionFiles* files;  // outlives the import
};

class Region;
class RowScan;
class WriteGroup;
struct RegionLayout;

// An open scan of one region: it stops when the region closes, and counts the region's reads. Threads: one at a time.
class RegionScanner final {
 public:
  RegionScanner(std::shared_ptr<Region> region, std::unique_ptr<RowScan> rows);
  ~RegionScanner();
  // Appends the next results to `*batch` within `limits`. Returns whether the region may have more.
  absl::StatusOr<bool> Next(const ScanLimits& limits, ResultBatch* batch);
  // Returns whether the last Next stopped because the filter said that the scan is done.
  bool filter_finished() const;
  const ScanProgress& progress() const;  // made by the last Next

 private:
  const std::shared_ptr<Region> region_;
  const std::unique_ptr<RowScan> rows_;
};

class Region final : public std::enable_shared_from_this<Region> {
 public:
  // Returns the name of the store of `family` in the region called `encoded_name`. `family` is a
  // FamilyDescriptor::StoreName, which is the family's name alone only if it came with its table.
  static std::string StoreName(std::string_view encoded_name, std::string_view family);
  static std::string StoreName(std::string_view encoded_name, const FamilyDescriptor& family) {
    return StoreName(encoded_name, family.StoreName());
  }
  // Returns the specs of the stores with which a region of `table` is created.
  static std::vector<StoreSpec> StoreSpecs(const RegionInfo& info, const TableDescriptor& table,
                                           const Options& options);
  // Returns kCorruptHFile, with the damage, if any of the region's stores may have lost cells (StoreDb::DamageOf).
  static absl::Status CheckDamage(const StoreDb& db, const RegionInfo& info, const TableDescriptor& table);
  // Opens the region over the stores that `db` has. Returns kCorruptHFile, naming the family, if one of them is
  // missing.
  static absl::StatusOr<std::shared_ptr<Region>> Open(StoreDb* db, const RegionInfo& info,
                                                      std::shared_ptr<const TableDescriptor> table);
  // Opens a region that may be new, or have new families: missing stores are created.
  static absl::StatusOr<std::shared_ptr<Region>> OpenOrCreate(StoreDb* db, const RegionInfo& info,
                                                              std::shared_ptr<const TableDescriptor> table);
  // Creates many new regions of one table with one call to the database, and opens them.
  static absl::StatusOr<std::vector<std::shared_ptr<Region>>> CreateAll(StoreDb* db,
                                                                        const std::vector<RegionInfo>& infos,
                                                                        std::shared_ptr<const TableDescriptor> table);

  const RegionInfo& info() const { return info_; }
  std::shared_ptr<const TableDescriptor> table() const;
  // Where its reads and writes go; null if they are not counted: those of system tables, and if Options::key_heat is
  // off.
  std::shared_ptr<KeyHeat> heat() const { return heat_; }

  // Begins to fetch into the processor's cache what operations on these regions read first; null ones are left out.
  // With thousands of regions it is in no cache, and the waits for the regions of one call overlap here.
  static void Prefetch(std::span<const std::shared_ptr<Region>> regions);

  // Operations on data. They return kWrongRegion if a row is outside the region.
  absl::Status Get(const vaquita::Get& get, CellBlock* cells, const CallContext& context = {});
  // The nonce is stored with the cells that are written, if any. The caller has looked it up before.
  absl::StatusOr<MutateResult> Mutate(const Mutation& mutation, const Nonce& nonce = {},
                                      const CallContext& context = {});
  absl::StatusOr<MutateResult> Mutate(const RowMutations& mutations, const Nonce& nonce = {},
                                      const CallContext& context = {});
  absl::StatusOr<MutateResult> CheckAndMutate(const vaquita::CheckAndMutate& check, const Nonce& nonce = {},
                                              const CallContext& context = {});
  // Adds a put to the group, if the two can be written together and the row is free. Otherwise does nothing, and
  // returns false. The answer holds once the group is committed.
  absl::StatusOr<bool> AddToGroup(const Mutation& put, const CallContext& context, WriteGroup* group);
  // Looks for an operation on `row` with this nonce, one that was done before the region was opened, here or elsewhere,
  // or any. Returns the newest timestamp of its answer. A nonce is known for kNonceMs.
  enum class Done { kBeforeItsOpening, kEver };
  absl::StatusOr<std::optional<int64_t>> FindEarlier(std::string_view row, const Nonce& nonce, Done done,
                                                     const CallContext& context = {});
  // Applies mutations of several rows atomically if all `conditions` hold (mutations inside the conditions are
  // ignored), and returns whether they held. Returns kWrongRegion if the first mutation's row is outside the region;
  // kDoNotRetryIO if another row is, because rows of several regions cannot be changed atomically.
  absl::StatusOr<bool> MutateRows(std::span<const Mutation> mutations,
                                  std::span<const vaquita::CheckAndMutate> conditions, const CallContext& context = {});
  // Applies puts and deletes of many rows, and returns a status for each. Rows are locked in key order and written with
  // one batch per durability. This is the bulk path.
  std::vector<absl::Status> MutateBatch(std::span<const Mutation* const> mutations, const CallContext& context = {});
  absl::StatusOr<std::unique_ptr<RegionScanner>> NewScanner(const Scan& scan, const CallContext& context = {});

  // Upkeep. Flush and Compact run in the calling thread.
  absl::Status Flush() { return FlushFamilies({}); }
  // Flushes while writes go on, until little is left for the last flush of a Close.
  absl::Status FlushToLittle();
  // Flushes the named families, or all if none is named. Returns kNoSuchColumnFamily if one does not exist.
  absl::Status FlushFamilies(const std::vector<std::string>& families);
  // Compacts the family's store, or all stores if `family` is empty. kMinor compacts if the policy selects files.
  // Returns whether a compaction ran.
  absl::StatusOr<bool> Compact(CompactionKind kind, std::string_view family);
  // While compactions are held none begins, and running ones end soon, with Cancelled and without effect.
  void HoldCompactions(bool hold);
  // Returns whether the memstores are over the flush size, or have so many dead versions that reads cost too much.
  bool NeedsFlush() const;
  // Returns the row at which the table's policy would split: the midkey of the largest store, after the policy's
  // restriction (KeyPrefix, DelimitedKeyPrefix), cut to the length that a start key may have. Empty if the region
  // cannot be split.
  absl::StatusOr<std::string> SplitPoint() const;
  // Returns whether the table's policy wants a split now. `table_regions_here`: the table's regions on this server.
  bool ShouldSplit(int table_regions_here) const;
  bool HasReferences() const;
  // Returns the files of the family's store, or kNoSuchColumnFamily.
  absl::StatusOr<std::vector<StoreFileInfo>> StoreFiles(std::string_view family) const;
  RegionMetrics Metrics() const;
  // Hard-links the region's files into `folder`, one folder per family. `flush`: the memstores are written to files
  // first, and the files then hold each mutation entirely or not at all. Otherwise the memstores are left out.
  absl::StatusOr<RegionFiles> Export(const std::string& folder, bool flush);
  // Adds a file of its nonces (engine/nonce_store.h): a region that moves keeps them, a snapshot does not.
  absl::Status ExportNonces(const std::string& folder, RegionFiles* files) const;
  // Makes the stores of new regions of `table`, each from the exported files of a region with the same rows. Open finds
  // them.
  static absl::Status Import(StoreDb* db, const TableDescriptor& table, const std::vector<RegionImport>& regions);
  // Follows an altered table: options of families change, new families get stores, dropped ones lose theirs.
  absl::Status Alter(std::shared_ptr<const TableDescriptor> table);

  // Waits for running operations, then refuses every later one with kNotServingRegion. The stores stay in the database.
  absl::Status Close();
  bool closed() const { return gate_.closed(); }

  // For the other classes of region/. Open makes it.
  Region(StoreDb* db, std::shared_ptr<const RegionLayout> layout);
  std::shared_ptr<const RegionLayout> Layout() const;
  std::vector<std::shared_ptr<Store>> Stores() const;
  // Undoes a Close. REQUIRES: the stores still exist.
  void Reopen() { gate_.Open(); }
  void CountReads(int64_t read, int64_t filtered);
  absl::Status NotServing(const CallContext& context = {}) const;

 private:
  void CountWrites(std::span<const KeyHeat::Write> writes) {
    if (heat_ != nullptr) heat_->CountWrites(writes);
  }
  absl::Status CheckWritable() const;
  int64_t LockWaitMs(const CallContext& context) const;
  // Applies mutations of one row atomically, if `check` (may be null) holds.
  absl::StatusOr<MutateResult> MutateRow(std::string_view row, std::span<const Mutation> mutations,
                                         const vaquita::CheckAndMutate* check, const Nonce& nonce,
                                         const CallContext& context);
  // REQUIRES for these two: inside the gate.
  absl::Status CheckRowWrite(std::string_view row, std::span<const Mutation> mutations,
                             std::string_view operation) const;
  absl::Status CheckFamilies(std::span<const Mutation> mutations) const;
  absl::Status WriteRow(std::string_view row, std::span<const Mutation> mutations, int64_t at_least_ms,
                        const Nonce& nonce, const CallContext& context, CellBlock* results);
  absl::Status CheckRows(std::span<const Mutation> mutations) const;
  absl::Status WriteRows(std::span<const Mutation> mutations, const CallContext& context);
  void WriteLocked(std::span<const Mutation* const> mutations, const CallContext& context,
                   std::vector<absl::Status>* statuses);
  // Returns a layout of the stores that `old` has, with the families' new options, and new stores for the other
  // families.
  absl::StatusOr<std::shared_ptr<const RegionLayout>> AlteredLayout(const RegionLayout& old,
                                                                    std::shared_ptr<const TableDescriptor> table);

  StoreDb* const db_;
  const RegionInfo info_;

  mutable RegionGate gate_;
  RowLocks row_locks_;
  LastWrites last_writes_;
  const int64_t earlier_until_ms_;  // until then the nonces of operations from before the opening are looked up
  mutable std::mutex layout_mu_;
  std::shared_ptr<const RegionLayout> layout_;

  const std::shared_ptr<KeyHeat> heat_;  // may be null
  std::atomic<int64_t> read_requests_{0};
  std::atomic<int64_t> filtered_read_requests_{0};
  std::atomic<int64_t> write_requests_{0};
};

}  // namespace vaquita

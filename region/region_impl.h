// region/region_impl.h: the implementation of region.h, with the parts that splits and merges need.
//
// State: `layout_` changes only while the gate is held alone (Alter), so an operation inside the gate reads it without
// a lock; all other code takes a copy under `layout_mu_`. Lock order: gate, then row locks, then `layout_mu_`.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "region/region.h"
#include "region/region_gate.h"
#include "region/region_layout.h"
#include "region/region_nonces.h"
#include "region/row_lock.h"

namespace vaquita {

class RegionImpl final : public Region {
 public:
  RegionImpl(StoreDb* db, std::shared_ptr<const RegionLayout> layout);

  const RegionInfo& info() const override { return info_; }
  std::shared_ptr<const TableDescriptor> table() const override { return Layout()->table; }
  KeyHeat* heat() const override { return heat_.get(); }

  absl::Status Get(const vaquita::Get& get, CellBlock* cells, ReadWatch* watch) override;
  using Region::CheckAndMutate;
  using Region::Mutate;
  absl::StatusOr<MutateResult> Mutate(const Mutation& mutation, const Nonce& nonce) override;
  absl::StatusOr<MutateResult> Mutate(const RowMutations& mutations, const Nonce& nonce) override;
  absl::StatusOr<MutateResult> CheckAndMutate(const vaquita::CheckAndMutate& check, const Nonce& nonce) override;
  absl::StatusOr<std::optional<int64_t>> FindEarlier(std::string_view row, const Nonce& nonce) override;
  absl::StatusOr<bool> MutateRows(std::span<const Mutation> mutations,
                                  std::span<const vaquita::CheckAndMutate> conditions) override;
  std::vector<absl::Status> MutateBatch(std::span<const Mutation* const> mutations) override;
  absl::StatusOr<std::unique_ptr<RegionScanner>> NewScanner(const Scan& scan) override;

  absl::Status Flush() override { return FlushFamilies({}); }
  absl::Status FlushToLittle() override;
  absl::Status FlushFamilies(const std::vector<std::string>& families) override;
  absl::StatusOr<bool> Compact(CompactionKind kind, std::string_view family) override;
  void HoldCompactions(bool hold) override;
  bool NeedsFlush() const override;
  bool NeedsCompaction() const override;
  absl::StatusOr<std::string> SplitPoint() const override;
  bool ShouldSplit(int table_regions_here) const override;
  bool HasReferences() const override;
  absl::StatusOr<std::vector<StoreFileInfo>> StoreFiles(std::string_view family) const override;
  RegionMetrics Metrics() const override;
  absl::StatusOr<RegionFiles> Export(const std::string& folder, bool flush) override;
  absl::Status ExportNonces(const std::string& folder, RegionFiles* files) override;
  absl::Status Alter(std::shared_ptr<const TableDescriptor> table) override;
  absl::Status Close() override;
  bool closed() const override { return gate_.closed(); }

  // For splits, merges and snapshots.
  std::shared_ptr<const RegionLayout> Layout() const;
  // Returns the layout's stores, and the one of nonces.
  std::vector<std::shared_ptr<Store>> AllStores() const;
  // Undoes a Close. REQUIRES: the stores still exist.
  void Reopen() { gate_.Open(); }

  // For open scanners.
  void CountReads(int64_t read, int64_t filtered);
  absl::Status NotServing() const;

 private:
  void CountWrite(std::string_view row, int64_t bytes) {
    if (heat_ != nullptr) heat_->CountWrite(row, bytes);
  }
  absl::Status CheckWritable() const;
  int64_t MemstoreBytes(const RegionLayout& layout) const { return layout.MemstoreBytes() + nonces_.MemstoreBytes(); }
  // Applies mutations of one row atomically, if `check` (may be null) holds.
  absl::StatusOr<MutateResult> MutateRow(std::string_view row, std::span<const Mutation> mutations,
                                         const vaquita::CheckAndMutate* check, const Nonce& nonce);
  absl::Status CheckRowMutations(std::string_view row, std::span<const Mutation> mutations,
                                 std::string_view operation) const;
  absl::Status WriteRow(std::string_view row, std::span<const Mutation> mutations, int64_t at_least_ms,
                        const Nonce& nonce, CellBlock* results);
  absl::Status CheckRows(std::span<const Mutation> mutations) const;
  absl::Status WriteRows(std::span<const Mutation> mutations);
  void WriteLocked(std::span<const Mutation* const> mutations, std::vector<absl::Status>* statuses);
  // Returns a layout of the stores that `old` has, with the families' new options, and new stores for the other
  // families.
  absl::StatusOr<std::shared_ptr<const RegionLayout>> AlteredLayout(const RegionLayout& old,
                                                                    std::shared_ptr<const TableDescriptor> table);

  StoreDb* const db_;
  const RegionInfo info_;

  mutable RegionGate gate_;
  RowLocks row_locks_;
  RegionNonces nonces_;
  mutable std::mutex layout_mu_;
  std::shared_ptr<const RegionLayout> layout_;

  const std::unique_ptr<KeyHeat> heat_;  // may be null
  std::atomic<int64_t> read_requests_{0};
  std::atomic<int64_t> filtered_read_requests_{0};
  std::atomic<int64_t> write_requests_{0};
};

}  // namespace vaquita

// region/mutation_writer.h: turns mutations into the cells that a StoreBatch applies.
//
// It fills in timestamps, finds the version that a "delete the latest" means, and computes the results of increments
// and appends. It reads the region as it is before the batch, as HBase does: two mutations of one batch do not see each
// other. REQUIRES: the rows' locks are held from before it is made until the batch is written, and the mutations were
// checked (mutation_check.h). Source: HRegion.MutationBatchOperation (reckonDeltas), prepareDeleteTimestamps,
// rewriteCellTags (2.6).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/read_watch.h"
#include "engine/store_db.h"
#include "model/operations.h"
#include "region/region_layout.h"

namespace vaquita {

class MutationWriter {
 public:
  // All outlive the writer. `now_ms` is every new cell's timestamp; puts get `put_ms` (after a condition it is at least
  // the time of the cell that was compared, so that the put is not hidden by it). `watch` (may be null) may end the
  // reads with an error, also many short ones.
  MutationWriter(const StoreDb& db, const RegionLayout& layout, int64_t now_ms, int64_t put_ms, ReadWatch* watch,
                 StoreBatch* batch)
      : db_(db), layout_(layout), now_ms_(now_ms), put_ms_(put_ms), watch_(watch), batch_(batch), stop_(db.clock()) {
    stop_.Begin(-1, /*inside_rows=*/false, watch);
  }

  // Adds `mutation` of `row` to the batch. An Increment's or Append's result goes to `*results`, if given. An error
  // leaves the batch unusable; kRowTooBig if increments and appends of this writer read more than
  // hbase.table.max.rowsize.
  absl::Status Add(const Mutation& mutation, std::string_view row, CellBlock* results);
  // Returns the latest time that the last increment or append gave to a version that replaces another; 0 if it replaced
  // none.
  int64_t newest_delta_ms() const { return newest_delta_ms_; }

 private:
  void AddPut(const Mutation& put, std::string_view row);
  absl::Status AddDelete(const Mutation& del, std::string_view row);
  absl::Status AddDeltas(const Mutation& mutation, std::string_view row, CellBlock* results);
  absl::Status AddFamilyDeltas(const Mutation& mutation, std::string_view row, std::span<const Cell* const> deltas,
                               CellBlock* results);
  absl::StatusOr<std::vector<int64_t>> LatestVersions(std::string_view row, const Cell& marker, int32_t count);
  absl::Status Read(std::string_view row, const ReadOptions& read, absl::FunctionRef<bool(const CellView&)> visit);
  const Store& StoreOf(std::string_view family) const { return *layout_.stores[layout_.Find(family)]; }

  const StoreDb& db_;
  const RegionLayout& layout_;
  const int64_t now_ms_;
  const int64_t put_ms_;
  ReadWatch* const watch_;
  StoreBatch* batch_;
  ReadStop stop_;  // asked between two reads
  int64_t newest_delta_ms_ = 0;
  int64_t delta_bytes_ = 0;  // read by increments and appends
};

// Returns the strongest durability that the mutations and their table ask for. It applies to all of them
// (HRegion.getEffectiveDurability).
Durability EffectiveDurability(const Mutation& mutation, const TableDescriptor& table);

}  // namespace vaquita

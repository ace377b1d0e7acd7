// region/region_transition.h: the common steps of splits and merges: regions become other regions over the same files.
//
// Source: SplitTableRegionProcedure, MergeTableRegionsProcedure (2.6).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "region/region.h"

namespace vaquita {

// Its steps are in region/split.h.
class RegionTransition {
 public:
  // `parents` and `new_infos` belong to one table, and cover the same rows.
  RegionTransition(StoreDb* db, std::vector<std::shared_ptr<Region>> parents, std::vector<RegionInfo> new_infos);
  ~RegionTransition();  // rolls back if it was begun and neither finished nor rolled back
  RegionTransition(const RegionTransition&) = delete;

  const std::vector<std::shared_ptr<Region>>& parents() const { return parents_; }
  const std::vector<RegionInfo>& new_infos() const { return new_infos_; }  // known before Begin, for logs and meta
  // Does step 1. Returns the new regions, which are open but not yet in meta.
  absl::StatusOr<std::vector<std::shared_ptr<Region>>> Begin();
  absl::Status Finish();
  absl::Status Rollback();
  // Called after Begin if meta's content is unknown: parents and new regions stay in the database, closed, and its next
  // open drops one side.
  void LeaveUndecided() { state_ = State::kOver; }

 private:
  enum class State { kPrepared, kBegun, kOver };

  // Flushes while the parents still serve, so that little is left to do behind the closed gates.
  absl::Status PrepareFiles();
  absl::Status CloseParents();
  void ReopenParents();
  absl::Status CheckParentsStores(const TableDescriptor& table) const;
  absl::Status LinkStores();
  absl::Status DropNewStores();

  StoreDb* const db_;
  const std::vector<std::shared_ptr<Region>> parents_;
  const std::vector<RegionInfo> new_infos_;
  State state_ = State::kPrepared;
  size_t closed_parents_ = 0;
  std::vector<std::string> new_stores_;
  std::vector<std::shared_ptr<Region>> new_regions_;
};

}  // namespace vaquita

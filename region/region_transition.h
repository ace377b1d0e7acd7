// region/region_transition.h: the common steps of splits and merges: regions become other regions over the same files.
//
// Source: SplitTableRegionProcedure, MergeTableRegionsProcedure (2.6).
#pragma once

#include <memory>
#include <vector>

#include "region/region.h"
#include "region/split.h"

namespace vaquita {

class RegionTransitionImpl final : public RegionTransition {
 public:
  // `parents` and `new_infos` belong to one table, and cover the same rows.
  RegionTransitionImpl(StoreDb* db, std::vector<std::shared_ptr<Region>> parents, std::vector<RegionInfo> new_infos);
  ~RegionTransitionImpl() override;

  const std::vector<std::shared_ptr<Region>>& parents() const override { return parents_as_regions_; }
  const std::vector<RegionInfo>& new_infos() const override { return new_infos_; }
  absl::StatusOr<std::vector<std::shared_ptr<Region>>> Begin() override;
  absl::Status Finish() override;
  absl::Status Rollback() override;
  void LeaveUndecided() override { state_ = State::kOver; }

 private:
  enum class State { kPrepared, kBegun, kOver };

  // Flushes while the parents still serve, so that little is left to do behind the closed gates.
  absl::Status PrepareFiles();
  absl::Status CloseParents();
  void ReopenParents();
  absl::Status LinkStores();
  absl::Status DropNewStores();

  StoreDb* const db_;
  const std::vector<std::shared_ptr<Region>> parents_;
  const std::vector<std::shared_ptr<Region>> parents_as_regions_;
  const std::vector<RegionInfo> new_infos_;
  State state_ = State::kPrepared;
  size_t closed_parents_ = 0;
  std::vector<std::string> new_stores_;
  std::vector<std::shared_ptr<Region>> new_regions_;
};

}  // namespace vaquita

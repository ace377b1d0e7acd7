#include "region/region_transition.h"

#include <set>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "base/fault_point.h"
#include "base/status.h"

namespace vaquita {
namespace {

// Files with rows outside their regions cannot become files of one region, because those rows would come back to life.
// The engine also takes few files of each side, so many files are better compacted now than behind the closed gate.
bool MustCompactToMerge(const Store& store) {
  constexpr int64_t kManyFiles = 6;
  return store.HasReferences() || store.StoreFileCount() >= kManyFiles;
}

}  // namespace

RegionTransition::RegionTransition(StoreDb* db, std::vector<std::shared_ptr<Region>> parents,
                                   std::vector<RegionInfo> new_infos)
    : db_(db), parents_(std::move(parents)), new_infos_(std::move(new_infos)) {}

RegionTransition::~RegionTransition() {
  // If the drop fails, the next opening of the database removes the stores, because meta does not name them.
  if (state_ == State::kBegun) Rollback().IgnoreError();
}

absl::StatusOr<std::vector<std::shared_ptr<Region>>> RegionTransition::Begin() {
  if (state_ != State::kPrepared) return absl::FailedPreconditionError("the split or merge has already begun");
  VAQUITA_RETURN_IF_ERROR(PrepareFiles());
  state_ = State::kBegun;
  auto undo = absl::MakeCleanup([this] { Rollback().IgnoreError(); });
  VAQUITA_RETURN_IF_ERROR(CloseParents());
  FaultPoint("transition:closed");
  VAQUITA_RETURN_IF_ERROR(LinkStores());
  VAQUITA_ASSIGN_OR_RETURN(new_regions_, Region::CreateAll(db_, new_infos_, parents_.front()->table()));
  std::move(undo).Cancel();
  return new_regions_;
}

absl::Status RegionTransition::PrepareFiles() {
  for (const auto& parent : parents_) {
    for (const auto& store : parent->Stores()) {
      if (parents_.size() > 1 && MustCompactToMerge(*store)) {
        VAQUITA_RETURN_IF_ERROR(db_->Compact(store, CompactionKind::kMajor).status());
      }
    }
    VAQUITA_RETURN_IF_ERROR(parent->FlushToLittle());
  }
  return absl::OkStatus();
}

absl::Status RegionTransition::CloseParents() {
  for (const auto& parent : parents_) {
    VAQUITA_RETURN_IF_ERROR(parent->Close());
    ++closed_parents_;
  }
  for (const auto& parent : parents_) VAQUITA_RETURN_IF_ERROR(parent->Flush());
  return absl::OkStatus();
}

void RegionTransition::ReopenParents() {
  for (; closed_parents_ > 0; --closed_parents_) parents_[closed_parents_ - 1]->Reopen();
}

// Finish drops the parents' stores, so each must be in a new one: a family's of the same generation.
absl::Status RegionTransition::CheckParentsStores(const TableDescriptor& table) const {
  for (const auto& parent : parents_) {
    std::set<std::string> taken;
    for (const auto& [family, descriptor] : table.families) {
      taken.insert(Region::StoreName(parent->info().EncodedName(), descriptor));
    }
    for (const auto& store : parent->Stores()) {
      if (taken.contains(store->spec().name)) continue;
      return absl::FailedPreconditionError("no new region takes the store " + store->spec().name);
    }
  }
  return absl::OkStatus();
}

absl::Status RegionTransition::LinkStores() {
  const auto table = parents_.front()->table();
  VAQUITA_RETURN_IF_ERROR(CheckParentsStores(*table));
  for (const RegionInfo& info : new_infos_) {
    for (StoreSpec& spec : Region::StoreSpecs(info, *table, db_->options())) {
      std::vector<std::shared_ptr<Store>> from;
      for (const auto& parent : parents_) {
        for (auto& store : parent->Stores()) {
          const std::string name = Region::StoreName(parent->info().EncodedName(), spec.family);
          if (store->spec().name == name) from.push_back(std::move(store));
        }
      }
      if (from.empty()) continue;
      new_stores_.push_back(spec.name);
      VAQUITA_RETURN_IF_ERROR(db_->Link(from, std::move(spec)).status());
      FaultPoint("transition:linked");
    }
  }
  return absl::OkStatus();
}

absl::Status RegionTransition::Finish() {
  if (state_ != State::kBegun) return absl::FailedPreconditionError("the split or merge has not begun");
  state_ = State::kOver;
  std::vector<std::string> old_stores;
  for (const auto& parent : parents_) {
    for (const auto& store : parent->Stores()) old_stores.push_back(store->spec().name);
  }
  return db_->Drop(old_stores);
}

absl::Status RegionTransition::Rollback() {
  if (state_ != State::kBegun) return absl::FailedPreconditionError("the split or merge has not begun");
  state_ = State::kOver;
  // Closed first, so that nothing written to them can be answered and then lost.
  for (const auto& region : new_regions_) region->Close().IgnoreError();
  ReopenParents();
  return DropNewStores();
}

absl::Status RegionTransition::DropNewStores() {
  std::vector<std::string> linked;
  for (std::string& name : new_stores_) {
    if (db_->Find(name) != nullptr) linked.push_back(std::move(name));
  }
  new_stores_.clear();
  return linked.empty() ? absl::OkStatus() : db_->Drop(linked);
}

}  // namespace vaquita

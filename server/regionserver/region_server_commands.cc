// Carries out the master's commands (region_server_control.h).
#include <algorithm>
#include <future>
#include <iterator>
#include <optional>

#include "base/fault_point.h"
#include "base/log.h"
#include "base/status.h"
#include "engine/nonce_store.h"
#include "model/encoded_names.h"
#include "model/store_settings.h"
#include "region/known_stores.h"
#include "region/region_layout.h"
#include "server/data_root/handoff.h"
#include "server/data_root/sideline.h"
#include "server/regionserver/handoff_transfer.h"
#include "server/regionserver/region_server.h"
#include "server/regionserver/server_recovery.h"

namespace vaquita {
namespace {

absl::Status NotOpen(const std::string& encoded_name, const std::string& server_name) {
  return Error(ErrorKind::kNotServingRegion, encoded_name + " is not online on " + server_name);
}

absl::Status IsOpen(std::string_view encoded_name) {
  return absl::FailedPreconditionError("region " + std::string(encoded_name) + " is open");
}

absl::Status Nothing(const std::string& encoded_name, const std::string& server_name) {
  return absl::NotFoundError("no data of region " + encoded_name + " on " + server_name);
}

}  // namespace

// --- The start.

absl::Status RegionServer::OpenFolder(const std::vector<RegionOfTable>& regions) {
  KnownStores known(options_.options);
  for (const RegionOfTable& region : regions) known.Add(region.info, *region.table);
  const auto resolve = [&](std::string_view store) { return known.Find(store); };
  VAQUITA_RETURN_IF_ERROR(HandoffDraft::RemoveLeftovers(options_.path));
  VAQUITA_ASSIGN_OR_RETURN(
      db_, StoreDb::Open(
               {.path = options_.path, .options = options_.options, .clock = options_.clock, .syncs = options_.syncs},
               resolve));
  VAQUITA_RETURN_IF_ERROR(db_->nonces()->TakeFormer(regions));
  VAQUITA_ASSIGN_OR_RETURN(notes_, RegionNotes::Load(db_.get()));
  VAQUITA_RETURN_IF_ERROR(SetUnknownAside(regions));
  VAQUITA_RETURN_IF_ERROR(UpdateNotes(regions));
  own_maintenance_ = std::make_unique<Maintenance>(db_.get(), [this](std::shared_ptr<Region> region) {
    if (options_.request_split) options_.request_split(region->info());
  });
  maintenance_ = own_maintenance_.get();
  afterwards_ = std::make_unique<TaskPool>(1);
  return OpenAtStart(regions);
}

absl::Status RegionServer::SetUnknownAside(const std::vector<RegionOfTable>& regions) {
  VAQUITA_ASSIGN_OR_RETURN(FolderNotes notes, FinishDrops(db_.get()));
  VAQUITA_ASSIGN_OR_RETURN(Names handoffs, Handoffs());
  const UnknownStores unknown{.db = db_.get(),
                              .path = options_.path,
                              .sideline = SidelineFolder(options_.root, options_.clock->NowMs()),
                              .notes = std::move(notes),
                              .superseded = std::move(handoffs)};
  for (const RegionOfTable& region : regions) {
    const std::string name = region.info.EncodedName();
    const bool is_here = !LacksStores(*db_, {region.info, region.table}) || unknown.superseded.contains(name);
    if (!is_here) missing_.insert(name);
  }
  if (!regions.empty() && missing_.size() == regions.size() && !UnknownStoresWithData(unknown).empty()) {
    return absl::FailedPreconditionError(
        options_.path + " has data that hbase:meta does not name: run `vaquita fsck --data " + options_.root + "`");
  }
  VAQUITA_ASSIGN_OR_RETURN(sidelined_stores_, SetUnknownStoresAside(unknown));
  return absl::OkStatus();
}

void RegionServer::WarnOfPossibleLoss(const RegionOfTable& region) const {
  const std::string name = region.info.EncodedName();
  if (StoresOf(*db_, {region.info, region.table}).empty()) return;
  for (const auto& [family, descriptor] : region.table->families) {
    if (db_->Find(Region::StoreName(name, descriptor)) != nullptr) continue;
    spdlog::warn(
        "closed region {} of {} has no store of family {}, and an older release did not record whether it had one: the "
        "family counts as added since then, and begins empty",
        name, region.info.table.ToString(), family);
  }
}

// An older folder has no notes. If a region was open before, a family without a store is lost. If it was closed, the
// family may be new, so it gets an empty store when the region opens.
absl::Status RegionServer::UpdateNotes(const std::vector<RegionOfTable>& regions) {
  Names wanted;
  std::vector<RegionOfTable> not_noted;
  for (const RegionOfTable& region : regions) {
    std::string name = region.info.EncodedName();
    const bool is_noted = notes_->Find(name) != nullptr;
    wanted.insert(std::move(name));
    if (is_noted) continue;
    if (!region.open) {
      WarnOfPossibleLoss(region);
      not_noted.push_back(region);
    } else {
      VAQUITA_RETURN_IF_ERROR(notes_->PutOpened(region));
    }
  }
  VAQUITA_RETURN_IF_ERROR(notes_->RemoveOthers(wanted));
  VAQUITA_RETURN_IF_ERROR(notes_->Put(not_noted));
  return notes_->PutClusterId(options_.cluster_id);
}

absl::Status RegionServer::OpenAtStart(const std::vector<RegionOfTable>& regions) {
  std::vector<RegionOfTable> to_open;
  for (const RegionOfTable& region : regions) {
    if (region.open) to_open.push_back(region);
  }
  for (const absl::Status& status : OpenRegions(to_open)) {
    if (!status.ok()) spdlog::error("cannot open a region: {}", status.ToString());
  }
  return absl::OkStatus();
}

// --- Opening.

absl::StatusOr<RegionServer::Names> RegionServer::Handoffs() const {
  VAQUITA_ASSIGN_OR_RETURN(auto names, ListHandoffs(options_.root));
  return Names(std::make_move_iterator(names.begin()), std::make_move_iterator(names.end()));
}

std::shared_ptr<Region> RegionServer::FindOpened(std::string_view encoded_name) const {
  std::lock_guard lock(mutex_);
  const auto it = opened_.find(encoded_name);
  return it == opened_.end() ? nullptr : it->second;
}

std::shared_ptr<Region> RegionServer::FindOpenedOrServed(std::string_view encoded_name) const {
  auto region = FindOpened(encoded_name);
  return region != nullptr ? region : regions_.Find(encoded_name);
}

void RegionServer::AddOpened(const std::shared_ptr<Region>& region) {
  std::lock_guard lock(mutex_);
  opened_[region->info().EncodedName()] = region;
}

void RegionServer::RemoveOpened(const std::string& encoded_name) {
  std::lock_guard lock(mutex_);
  opened_.erase(encoded_name);
}

absl::Status RegionServer::CreateRegions(const std::vector<RegionInfo>& infos,
                                         std::shared_ptr<const TableDescriptor> table) {
  std::vector<std::string> names;
  for (const RegionInfo& info : infos) names.push_back(info.EncodedName());
  const auto hold = commands_.Take(names);
  std::vector<RegionInfo> missing;
  for (size_t i = 0; i < infos.size(); ++i) {
    if (FindOpenedOrServed(names[i]) == nullptr) missing.push_back(infos[i]);
  }
  VAQUITA_ASSIGN_OR_RETURN(const auto created, Region::CreateAll(db_.get(), missing, table));
  std::vector<RegionOfTable> to_note;
  for (const RegionInfo& info : missing) to_note.push_back({info, table});
  VAQUITA_RETURN_IF_ERROR(notes_->Put(to_note));
  for (const auto& region : created) AddOpened(region);
  return absl::OkStatus();
}

std::vector<absl::Status> RegionServer::OpenRegions(const std::vector<RegionOfTable>& regions) {
  const auto hold = commands_.Take(EncodedNames(regions));
  std::vector<absl::Status> statuses(regions.size());
  ReadyStores(regions, &statuses);
  std::vector<std::shared_ptr<Region>> opened;
  std::vector<RegionOfTable> to_note;
  for (size_t i = 0; i < regions.size(); ++i) {
    const std::string name = regions[i].info.EncodedName();
    const auto open = FindOpenedOrServed(name);
    if (open != nullptr && !IsSameTable(*open->table(), *regions[i].table)) {  // it was altered meanwhile
      statuses[i] = Annotate(open->Alter(regions[i].table), "alter region " + name);
      if (statuses[i].ok()) {
        regions_.UpdateReplicas(open);
        to_note.push_back(regions[i]);
      }
    } else if (statuses[i].ok() && open == nullptr) {
      auto region = OpenNoted(db_.get(), regions[i], notes_->Find(name).get());
      statuses[i] = Annotate(region.status(), "open region " + name);
      if (region.ok()) {
        opened.push_back(*std::move(region));
        to_note.push_back(regions[i]);
      }
    }
    if (IsDamage(statuses[i])) {
      failed_.Put(regions[i].info, statuses[i]).IgnoreError();
    } else {
      failed_.Remove(name);
    }
  }
  if (const absl::Status noted = notes_->Put(to_note); !noted.ok()) {
    return std::vector<absl::Status>(regions.size(), noted);
  }
  for (const auto& region : opened) AddOpened(region);
  return statuses;
}

void RegionServer::ReadyStores(const std::vector<RegionOfTable>& regions, std::vector<absl::Status>* statuses) {
  const auto handoffs = Handoffs();
  if (!handoffs.ok()) return statuses->assign(regions.size(), handoffs.status());
  std::vector<RegionOfTable> arriving;
  std::vector<size_t> places;
  std::vector<std::string> leftovers;
  for (size_t i = 0; i < regions.size(); ++i) {
    const std::string name = regions[i].info.EncodedName();
    if (FindOpenedOrServed(name) != nullptr) continue;
    (*statuses)[i] = CheckNotInTransition(name);
    if ((*statuses)[i].ok() && !regions[i].refusal.empty()) {
      (*statuses)[i] = Error(ErrorKind::kCorruptHFile, regions[i].refusal);
    }
    if (!(*statuses)[i].ok()) continue;
    if (handoffs->contains(name)) {
      arriving.push_back(regions[i]);
      places.push_back(i);
      std::vector<std::string> stores = StoresOf(*db_, regions[i], /*damaged_too=*/true);
      std::move(stores.begin(), stores.end(), std::back_inserter(leftovers));
      continue;
    }
    (*statuses)[i] = Region::CheckDamage(*db_, regions[i].info, *regions[i].table);
    if ((*statuses)[i].ok() && LacksStores(*db_, regions[i])) (*statuses)[i] = WithoutStores(regions[i].info);
  }
  if (arriving.empty()) return;
  absl::Status dropped = notes_->Remove(EncodedNames(arriving));
  if (dropped.ok() && !leftovers.empty()) dropped = db_->Drop(leftovers);
  const auto taken =
      dropped.ok() ? TakeOver(db_.get(), arriving, options_.root) : std::vector<absl::Status>(arriving.size(), dropped);
  FaultPoint("open:taken-over");
  for (size_t i = 0; i < places.size(); ++i) {
    (*statuses)[places[i]] = Annotate(taken[i], "take region " + arriving[i].info.EncodedName() + " over");
  }
}

// OK: it was emptied on purpose. Data that never were here may be elsewhere, or come.
absl::Status RegionServer::WithoutStores(const RegionInfo& info) const {
  const std::string name = info.EncodedName();
  const auto noted = notes_->Find(name);
  if (noted != nullptr && noted->families.empty()) return absl::OkStatus();
  if (noted == nullptr && !missing_.contains(name)) return Nothing(name, server_name());
  return Error(ErrorKind::kCorruptHFile, "the data of region " + name + " are missing from " + options_.path);
}

std::vector<absl::Status> RegionServer::ServeRegions(const std::vector<std::string>& regions) {
  const auto hold = commands_.Take(regions);
  const auto handoffs = Handoffs();
  if (!handoffs.ok()) return std::vector<absl::Status>(regions.size(), handoffs.status());
  // Handoffs go before the first write: after a crash a handoff counts as the whole region.
  std::vector<std::string> arrived;
  std::copy_if(regions.begin(), regions.end(), std::back_inserter(arrived),
               [&](const std::string& name) { return handoffs->contains(name) && FindOpened(name) != nullptr; });
  const uint64_t failed_uses = failed_uses_;
  if (failed_uses != synced_uses_ || !arrived.empty()) {
    const absl::Status used = UseUpHandoffs(options_.root, options_.path, arrived);
    if (!used.ok()) {
      ++failed_uses_;
      return std::vector<absl::Status>(regions.size(), used);
    }
    synced_uses_ = failed_uses;
  }
  FaultPoint("serve:handoff-removed");
  std::vector<absl::Status> statuses;
  statuses.reserve(regions.size());
  for (const std::string& name : regions) statuses.push_back(Serve(name));
  return statuses;
}

absl::Status RegionServer::Serve(const std::string& name) {
  const auto opened = FindOpened(name);
  if (opened == nullptr) return regions_.Find(name) != nullptr ? absl::OkStatus() : NotOpen(name, server_name());
  regions_.Add({opened});
  maintenance_->Add(opened);
  moved_.Remove(opened->info());
  RemoveOpened(name);
  return absl::OkStatus();
}

// --- Closing.

std::vector<absl::Status> RegionServer::CloseRegions(const std::vector<std::string>& regions,
                                                     std::string_view destination) {
  std::vector<absl::Status> statuses;
  statuses.reserve(regions.size());
  for (const std::string& name : regions) statuses.push_back(Close(name, destination));
  return statuses;
}

absl::Status RegionServer::Close(const std::string& name, std::string_view destination) {
  const auto hold = commands_.Take({name});
  absl::Status status = CheckNotInTransition(name);
  if (!status.ok()) return status;
  if (const auto opened = FindOpened(name)) {
    status = CloseOpened(opened);
  } else if (const auto served = regions_.Find(name)) {
    status = CloseServed(served, destination);
  } else {
    failed_.Remove(name);
    return NotOpen(name, server_name());
  }
  return Annotate(status, "close region " + name);
}

// A region that came from a handoff still has it: its stores here do not count, and are dropped.
absl::Status RegionServer::CloseOpened(const std::shared_ptr<Region>& region) {
  const std::string name = region->info().EncodedName();
  VAQUITA_RETURN_IF_ERROR(region->Close());
  RemoveOpened(name);
  if (!HasHandoff(options_.root, name)) return absl::OkStatus();
  VAQUITA_RETURN_IF_ERROR(notes_->Remove({name}));
  return db_->Drop(StoresOf(*db_, {region->info(), region->table()}));
}

absl::Status RegionServer::CloseServed(const std::shared_ptr<Region>& region, std::string_view destination) {
  maintenance_->Remove(region);
  absl::Status status = region->FlushToLittle();
  if (status.ok()) status = region->Close();
  if (!status.ok()) {
    maintenance_->Add(region);
    return status;
  }
  // Cells that cannot be flushed stay in the memstore and in the log, from where a move's export takes them.
  if (status = region->Flush(); !status.ok()) {
    spdlog::warn("cannot close region {}: {}", region->info().EncodedName(), status.ToString());
  }
  const auto server = ServerName::Parse(destination);
  if (server.ok() && destination != server_name()) moved_.Add(region->info(), *server);
  ReplaceRegions({region}, {});
  scanners_.RegionClosed(region.get());
  return absl::OkStatus();
}

// A region is nowhere until this has been answered. So the answer does not wait until its stores are dropped; but the
// next command about it does.
std::vector<absl::Status> RegionServer::ReleaseRegions(const std::vector<RegionOfTable>& regions) {
  struct Release {
    explicit Release(ExclusiveNames::Hold&& names) : hold(std::move(names)) {}
    ExclusiveNames::Hold hold;
    std::unique_ptr<KeptFiles> kept;
    std::vector<std::string> regions;
    std::vector<std::string> stores;
  };
  const auto release = std::make_shared<Release>(commands_.Take(EncodedNames(regions)));
  std::vector<absl::Status> statuses(regions.size());
  const auto handoffs = Handoffs();
  auto kept = db_->KeepFiles();
  for (size_t i = 0; i < regions.size(); ++i) {
    statuses[i] = !handoffs.ok() ? handoffs.status() : kept.ok() ? HandOver(regions[i], *handoffs) : kept.status();
    if (IsDamage(statuses[i])) failed_.Put(regions[i].info, statuses[i]).IgnoreError();
    if (!statuses[i].ok()) continue;
    std::vector<std::string> stores = StoresOf(*db_, regions[i]);
    std::move(stores.begin(), stores.end(), std::back_inserter(release->stores));
    release->regions.push_back(regions[i].info.EncodedName());
  }
  FaultPoint("release:published");
  if (release->stores.empty()) return statuses;
  // From the answer on others may take the data, and a crash leaves the stores.
  if (const absl::Status noted = notes_->PutReleased(release->regions); !noted.ok()) {
    spdlog::warn("cannot note that regions were released: {}", noted.ToString());
  }
  release->kept = *std::move(kept);
  afterwards_->Post([this, release] { EndRelease(release->regions, release->stores); });
  return statuses;
}

void RegionServer::EndRelease(const std::vector<std::string>& regions, const std::vector<std::string>& stores) {
  absl::Status status = SyncHandoffs(options_.root);
  if (status.ok()) status = notes_->Remove(regions);
  if (status.ok()) status = db_->Drop(stores);
  if (status.ok()) status = notes_->RemoveReleased(regions);
  if (!status.ok()) spdlog::warn("cannot drop the stores of released regions: {}", status.ToString());
  FaultPoint("release:dropped");
}

void RegionServer::AwaitReleases() {
  if (afterwards_ == nullptr) return;
  std::promise<void> done;
  afterwards_->Post([&] { done.set_value(); });  // after all others
  done.get_future().wait();
  afterwards_.reset();
}

absl::Status RegionServer::HandOver(const RegionOfTable& region, const Names& handoffs) {
  const std::string name = region.info.EncodedName();
  VAQUITA_RETURN_IF_ERROR(CheckClosed(name));
  if (handoffs.contains(name)) return absl::OkStatus();
  const auto noted = notes_->Find(name);
  return Annotate(vaquita::HandOver(db_.get(), region, noted.get(), options_.root, options_.path),
                  "release region " + name);
}

absl::Status RegionServer::DropRegions(const std::vector<std::string>& names, const TableDescriptor& table) {
  const auto hold = commands_.Take(names);
  std::vector<std::string> stores;
  for (const std::string& name : names) {
    VAQUITA_RETURN_IF_ERROR(CheckNotInTransition(name));
    const auto open = FindOpenedOrServed(name);
    for (const auto& [family, descriptor] : table.families) {
      if (open != nullptr && open->table()->FindFamilyOfStore(descriptor.StoreName()) != nullptr) return IsOpen(name);
      std::string store = Region::StoreName(name, descriptor);
      if (db_->Find(store) != nullptr || !db_->DamageOf(store).ok()) stores.push_back(std::move(store));
    }
    failed_.Remove(name);
  }
  // Nobody misses a store without a note.
  VAQUITA_RETURN_IF_ERROR(notes_->BeginDrop(stores));
  FaultPoint("drop:noted");
  const absl::Status dropped = db_->Drop(stores);
  const absl::Status noted = notes_->EndDrop(stores);
  return dropped.ok() ? noted : dropped;
}

absl::Status RegionServer::AlterRegion(std::string_view name, std::shared_ptr<const TableDescriptor> table) {
  const auto hold = commands_.Take({std::string(name)});
  if (const auto region = FindOpenedOrServed(name)) {
    VAQUITA_RETURN_IF_ERROR(region->Alter(table));
    regions_.UpdateReplicas(region);
    return notes_->Put({{region->info(), table}});
  }
  for (const auto& [family, descriptor] : table->families) {
    const auto store = db_->Find(Region::StoreName(name, descriptor));
    if (store != nullptr) VAQUITA_RETURN_IF_ERROR(store->Alter(FamilyOfStores(*table, descriptor)));
  }
  const auto noted = notes_->Find(name);
  return noted == nullptr ? absl::OkStatus() : notes_->PutTable(*table);
}

absl::StatusOr<std::vector<absl::Status>> RegionServer::RecoverServer(std::string_view dead_server,
                                                                      const std::vector<RegionOfTable>& regions) {
  if (dead_server == server_name()) return absl::FailedPreconditionError("a server cannot recover itself");
  const auto hold = commands_.Take({std::string(dead_server)});
  return vaquita::RecoverServer({options_.root, server_name(), options_.options, options_.clock, &sidelined_stores_},
                                dead_server, regions);
}

// --- Splits and merges.

absl::Status RegionServer::CheckNotInTransition(std::string_view encoded_name) const {
  const auto is_this = [&](const RegionInfo& info) { return info.EncodedName() == encoded_name; };
  std::lock_guard lock(mutex_);
  for (const auto& [id, transition] : transitions_) {
    const PendingTransition& pending = transition.pending;
    if (std::any_of(pending.parents.begin(), pending.parents.end(), is_this) ||
        std::any_of(pending.new_regions.begin(), pending.new_regions.end(), is_this)) {
      return absl::FailedPreconditionError("region " + std::string(encoded_name) + " is in a " +
                                           std::string(transition.what));
    }
  }
  return absl::OkStatus();
}

absl::Status RegionServer::CheckClosed(std::string_view encoded_name) const {
  VAQUITA_RETURN_IF_ERROR(CheckNotInTransition(encoded_name));
  if (FindOpenedOrServed(encoded_name) == nullptr) return absl::OkStatus();
  return IsOpen(encoded_name);
}

std::optional<PendingTransition> RegionServer::FindPending(const std::vector<std::string>& parents,
                                                           size_t new_regions) const {
  const auto is_parent = [](const RegionInfo& info, const std::string& name) { return info.EncodedName() == name; };
  std::lock_guard lock(mutex_);
  for (const auto& [id, transition] : transitions_) {
    const PendingTransition& pending = transition.pending;
    if (pending.new_regions.size() == new_regions &&
        std::equal(pending.parents.begin(), pending.parents.end(), parents.begin(), parents.end(), is_parent)) {
      return pending;
    }
  }
  return std::nullopt;
}

absl::StatusOr<PendingTransition> RegionServer::BeginSplit(std::string_view name, std::string_view split_row) {
  const auto hold = commands_.Take({std::string(name)});
  if (auto pending = FindPending({std::string(name)}, 2)) return *std::move(pending);
  auto parent = regions_.Find(name);
  if (parent == nullptr) return NotServed(name);
  VAQUITA_ASSIGN_OR_RETURN(auto steps, PrepareSplit(db_.get(), std::move(parent), split_row));
  return Begin("split", std::move(steps));
}

absl::StatusOr<PendingTransition> RegionServer::BeginMerge(const std::vector<std::string>& names, bool forcible) {
  const auto hold = commands_.Take(names);
  if (auto pending = FindPending(names, 1)) return *std::move(pending);
  RegionList parents;
  for (const std::string& name : names) {
    auto parent = regions_.Find(name);
    if (parent == nullptr) return NotServed(name);
    parents.push_back(std::move(parent));
  }
  VAQUITA_ASSIGN_OR_RETURN(auto steps, PrepareMerge(db_.get(), std::move(parents), forcible));
  return Begin("merge", std::move(steps));
}

absl::StatusOr<PendingTransition> RegionServer::Begin(std::string_view what, std::unique_ptr<RegionTransition> steps) {
  Transition transition{.what = what, .pending = {}, .steps = std::move(steps), .new_regions = {}};
  PendingTransition& pending = transition.pending;
  pending.id = transition.steps->new_infos().front().EncodedName();
  pending.new_regions = transition.steps->new_infos();
  for (const auto& parent : transition.steps->parents()) {
    pending.parents.push_back(parent->info());
    maintenance_->Remove(parent);  // no compaction may replace the files while they are linked
  }
  auto new_regions = transition.steps->Begin();
  if (!new_regions.ok()) {
    for (const auto& parent : transition.steps->parents()) maintenance_->Add(parent);
    return new_regions.status();
  }
  transition.new_regions = *std::move(new_regions);
  std::vector<RegionOfTable> to_note;
  for (const auto& region : transition.new_regions) to_note.push_back({region->info(), region->table()});
  if (const absl::Status noted = notes_->Put(to_note); !noted.ok()) {
    RollBack(transition).IgnoreError();
    return noted;
  }
  FaultPoint(std::string(what) + ":before-commit");
  const PendingTransition begun = pending;
  std::lock_guard lock(mutex_);
  transitions_.emplace(begun.id, std::move(transition));
  return begun;
}

absl::Status RegionServer::EndTransition(std::string_view id, TransitionEnd end) {
  const auto hold = commands_.Take({std::string(id)});
  std::map<std::string, Transition, std::less<>>::iterator pending;
  {
    std::lock_guard lock(mutex_);
    pending = transitions_.find(id);
    if (pending == transitions_.end()) return absl::OkStatus();
  }
  // It stays among the pending ones, where a command about its regions finds it, until it has ended.
  absl::Status status;
  if (end == TransitionEnd::kCommit) {
    Commit(pending->second);
  } else {
    status = RollBack(pending->second);
  }
  std::lock_guard lock(mutex_);
  transitions_.erase(pending);
  return status;
}

void RegionServer::Commit(Transition& transition) {
  FaultPoint(std::string(transition.what) + ":committed");
  const RegionList& parents = transition.steps->parents();
  ReplaceRegions(parents, transition.new_regions);
  for (const auto& region : transition.new_regions) maintenance_->Add(region);
  for (const auto& parent : parents) scanners_.RegionClosed(parent.get());
  if (const absl::Status status = transition.steps->Finish(); !status.ok()) {
    // Meta has the new regions, so the change is done. The next start drops the parents' leftovers.
    spdlog::warn("{} of {}: drop the old stores: {}", transition.what, parents.front()->info().EncodedName(),
                 status.ToString());
  } else {
    ForgetNotes(parents);
  }
  FaultPoint(std::string(transition.what) + ":finished");
}

// Removes the notes of regions whose stores are gone. If that fails, the next start removes them.
void RegionServer::ForgetNotes(const RegionList& regions) {
  std::vector<std::string> names;
  for (const auto& region : regions) names.push_back(region->info().EncodedName());
  const absl::Status status = notes_->Remove(names);
  if (!status.ok()) spdlog::warn("cannot remove the notes of closed regions: {}", status.ToString());
}

absl::Status RegionServer::RollBack(Transition& transition) {
  const absl::Status status = transition.steps->Rollback();
  // The parents serve again even if the stores of the new regions could not be dropped.
  for (const auto& parent : transition.steps->parents()) maintenance_->Add(parent);
  if (status.ok()) ForgetNotes(transition.new_regions);
  return status;
}

// --- Files.

absl::StatusOr<std::vector<RegionFiles>> RegionServer::ExportRegions(const std::vector<RegionInfo>& infos,
                                                                     std::shared_ptr<const TableDescriptor> table,
                                                                     const std::string& folder, bool flush) {
  const auto hold = commands_.Take(EncodedNames(infos));  // a release that ends meanwhile would drop the stores
  VAQUITA_ASSIGN_OR_RETURN(const auto kept, db_->KeepFiles());
  std::vector<RegionFiles> all;
  for (const RegionInfo& info : infos) {
    auto files = ExportRegion(info, table, folder + "/" + info.EncodedName(), flush);
    VAQUITA_RETURN_IF_ERROR(Annotate(files.status(), "export region " + info.EncodedName()));
    all.push_back(*std::move(files));
    FaultPoint("snapshot:region");
  }
  return all;
}

absl::StatusOr<RegionFiles> RegionServer::ExportRegion(const RegionInfo& info,
                                                       const std::shared_ptr<const TableDescriptor>& table,
                                                       const std::string& folder, bool flush) {
  const std::string name = info.EncodedName();
  if (const auto region = regions_.Find(name)) {
    VAQUITA_ASSIGN_OR_RETURN(RegionFiles files, region->Export(folder, flush));
    if (flush) maintenance_->AfterFlush(region);
    return files;
  }
  if (HasHandoff(options_.root, name)) return LinkHandoff(options_.root, name, folder);
  if (LacksStores(*db_, {info, table})) VAQUITA_RETURN_IF_ERROR(WithoutStores(info));
  VAQUITA_ASSIGN_OR_RETURN(const auto closed, OpenNoted(db_.get(), {info, table}, notes_->Find(name).get()));
  return closed->Export(folder, /*flush=*/true);
}

absl::Status RegionServer::ImportRegions(const std::vector<RegionImport>& regions, const TableDescriptor& table) {
  std::vector<RegionImport> missing;
  const auto family = table.families.begin();
  for (const RegionImport& region : regions) {
    // A table whose sanity checks are off may have no family.
    const bool is_here = family != table.families.end() &&
                         db_->Find(Region::StoreName(region.info.EncodedName(), family->second)) != nullptr;
    if (!is_here) missing.push_back(region);
  }
  if (missing.empty()) return absl::OkStatus();
  VAQUITA_RETURN_IF_ERROR(Region::Import(db_.get(), table, missing));
  std::vector<RegionOfTable> to_note;
  const auto shared_table = std::make_shared<const TableDescriptor>(table);
  for (const RegionImport& region : missing) to_note.push_back({region.info, shared_table});
  return notes_->Put(to_note);
}

absl::Status RegionServer::FlushRegion(std::string_view name, const std::vector<std::string>& families) {
  VAQUITA_ASSIGN_OR_RETURN(const auto region, FindRegion(name));
  VAQUITA_RETURN_IF_ERROR(region->FlushFamilies(families));
  maintenance_->AfterFlush(region);
  return absl::OkStatus();
}

absl::Status RegionServer::CompactRegion(std::string_view name, std::string_view family, CompactionKind kind,
                                         bool wait) {
  VAQUITA_ASSIGN_OR_RETURN(const auto region, FindRegion(name));
  if (!family.empty() && region->table()->FindFamily(family) == nullptr) {
    return Error(ErrorKind::kNoSuchColumnFamily, "column family " + std::string(family) + " does not exist in region " +
                                                     ToStringBinary(region->info().Name()));
  }
  if (wait) return region->Compact(kind, family).status();
  maintenance_->RequestCompaction(region, kind, family);
  return absl::OkStatus();
}

// --- The report.

absl::StatusOr<ServerReport> RegionServer::Report() {
  ServerReport report;
  {
    std::lock_guard lock(mutex_);
    for (const auto& [name, region] : opened_) report.not_served.push_back(region->info());
    for (const auto& [id, transition] : transitions_) report.transitions.push_back(transition.pending);
  }
  RegionList served = regions_.All();
  std::erase_if(served, [](const auto& region) { return region->closed(); });
  report.metrics = MetricsOf(served);
  return report;
}

}  // namespace vaquita

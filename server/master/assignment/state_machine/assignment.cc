#include "server/master/assignment/state_machine/assignment.h"

#include <algorithm>
#include <utility>

#include "base/status.h"

namespace vaquita::assignment {

bool ByNumber::operator()(const Region* a, const Region* b) const { return a->number < b->number; }

// ---- inputs ----

Outputs Assignment::Load(int64_t now_ms, const LoadedMeta& meta) {
  now_ms_ = now_ms;
  for (const std::string& name : meta.closed_servers) draining_[name] = Draining::kNoNewRegions;
  for (const std::string& name : meta.draining_servers) draining_[name] = Draining::kAllLeave;
  for (const LoadedRegion& region : meta.regions) AddRegion(region);
  for (const std::string& name : meta.dead_servers) {
    Server& server = GetServer(name);
    server.noted_dead = true;
    Die(server);
  }
  EndAdoptions(meta.folders);
  return End();
}

Outputs Assignment::Expect(int64_t now_ms, const std::vector<LoadedRegion>& regions) {
  now_ms_ = now_ms;
  for (const LoadedRegion& loaded : regions) {
    Region& region = AddRegion(loaded);
    region.in_meta = false;
    region.state = RegionState::kClosed;
    region.want_open = false;
  }
  return End();
}

Outputs Assignment::Add(int64_t now_ms, const std::vector<LoadedRegion>& regions) {
  now_ms_ = now_ms;
  for (const LoadedRegion& loaded : regions) {
    Region* expected = FindRegion(loaded.info.EncodedName());
    if (expected == nullptr || expected->in_meta) {
      AddRegion(loaded);
      continue;
    }
    expected->in_meta = true;
    expected->table = nullptr;
    expected->state = loaded.state;
    expected->want_open = IsToBeOpen(loaded);
    if (expected->home == nullptr || expected->home->name != loaded.home) changed_.insert(expected);
    MarkDirty(*expected);
  }
  return End();
}

Outputs Assignment::Remove(int64_t now_ms, const std::vector<RegionName>& regions) {
  now_ms_ = now_ms;
  for (const RegionName& name : regions) {
    Region* region = FindRegion(name);
    if (region == nullptr) continue;
    FinishRequests(*region, Error(ErrorKind::kUnknownRegion, name));
    // The remover finds the regions that are handed over already.
    Server* const home = region->home;
    if (home != nullptr && home->noted_dead && region->known != Region::Known::kHandedOver) {
      home->removed.push_back(name);
    }
    EraseRegion(*region);
  }
  return End();
}

Outputs Assignment::TimePassed(int64_t now_ms) {
  now_ms_ = now_ms;
  EndLeases();
  ForgetEarlierLives();
  while (!retries_.empty() && std::get<0>(*retries_.begin()) <= now_ms) {
    Region& region = *std::get<2>(*retries_.begin());
    SetRetry(region, 0);
    MarkDirty(region);
  }
  for (auto& [id, flight] : flights_) {
    if (flight.resend_ms > now_ms) continue;
    flight.resend_ms = now_ms + settings_.resend_ms;
    out_.commands.push_back(flight.command);
  }
  return End();
}

Outputs Assignment::Result(int64_t now_ms, const CommandResult& result) {
  now_ms_ = now_ms;
  const auto found = flights_.find(result.id);
  if (found == flights_.end()) return End();  // late, or a repetition
  if (!result.answered) {
    found->second.resend_ms = now_ms + settings_.retry_ms;
    return End();
  }
  const Flight flight = std::move(found->second);
  flights_.erase(found);
  switch (flight.command.kind) {
    case CommandKind::kRecover:
      RecoveryResult(flight.command, result);
      break;
    case CommandKind::kDrop:
      DropResult(flight, result);
      break;
    case CommandKind::kBeginSplit:
    case CommandKind::kBeginMerge:
      BeginResult(*flight.transition, result);
      break;
    case CommandKind::kEndTransition:
      if (result.status.ok()) {
        // The new regions of another master's transition have the table's descriptor of that time.
        const bool is_own = flight.transition->request != 0;
        EndTransition(*flight.transition, absl::OkStatus(), is_own ? Region::Known::kServing : Region::Known::kNothing);
      } else {
        SendAgainLater(flight);
      }
      break;
    default:
      for (size_t i = 0; i < flight.command.regions.size(); ++i) {
        Region* region = FindRegion(flight.command.regions[i].region);
        if (region == nullptr || region->command != result.id) continue;
        RegionResult(*region, flight.command, i < result.regions.size() ? result.regions[i] : result.status);
      }
  }
  return End();
}

Outputs Assignment::Assign(int64_t now_ms, int64_t request, const std::vector<Destination>& regions) {
  now_ms_ = now_ms;
  requests_[request].parts = regions.size() + 1;
  for (const auto& [name, server] : regions) {
    if (Region* region = FindRegion(name); region != nullptr && region->in_meta) {
      region->wanted = server;
      Want(*region, true, request);
    } else {
      FinishPart(request, Error(ErrorKind::kUnknownRegion, name));
    }
  }
  FinishPart(request, absl::OkStatus());  // for a request of nothing
  return End();
}

Outputs Assignment::Unassign(int64_t now_ms, int64_t request, const std::vector<RegionName>& regions,
                             bool for_a_moment) {
  now_ms_ = now_ms;
  requests_[request].parts = regions.size() + 1;
  for (const RegionName& name : regions) {
    if (Region* region = FindRegion(name); region != nullptr && region->in_meta) {
      Want(*region, false, request);
      region->for_a_moment = for_a_moment;
    } else {
      FinishPart(request, Error(ErrorKind::kUnknownRegion, name));
    }
  }
  FinishPart(request, absl::OkStatus());
  return End();
}

Outputs Assignment::Move(int64_t now_ms, int64_t request, const std::vector<Destination>& regions) {
  now_ms_ = now_ms;
  requests_[request].parts = regions.size() + 1;
  for (const auto& [name, server] : regions) {
    const absl::StatusOr<Region*> region = FindServed(name);
    const auto target = servers_.find(server);
    const bool is_usable = target != servers_.end() && IsUsable(*target->second);
    if (!region.ok()) {
      FinishPart(request, region.status());
      continue;
    }
    Server* const home = (*region)->home;
    const bool has_another = HasAnother(*home);
    if (!server.empty() && !is_usable && has_another) {
      FinishPart(request, Error(ErrorKind::kHBaseIO, server + " is not a live server"));
    } else if (server == home->name || (server.empty() && !has_another)) {
      FinishPart(request, absl::OkStatus());  // it stays
    } else {
      (*region)->leave = true;
      (*region)->avoid = home->name;
      (*region)->wanted = is_usable ? server : "";
      Want(**region, true, request);
    }
  }
  FinishPart(request, absl::OkStatus());
  return End();
}

Outputs Assignment::Split(int64_t now_ms, int64_t request, const RegionName& name, const std::string& split_row) {
  now_ms_ = now_ms;
  requests_[request].parts = 1;
  const absl::StatusOr<Region*> region = FindServed(name);
  if (region.ok()) {
    BeginTransition(request, {*region}, {.kind = CommandKind::kBeginSplit, .split_row = split_row});
  } else {
    FinishPart(request, region.status());
  }
  return End();
}

Outputs Assignment::Merge(int64_t now_ms, int64_t request, const std::vector<RegionName>& names, bool forcible) {
  now_ms_ = now_ms;
  requests_[request].parts = 1;
  std::vector<Region*> parents;
  absl::Status status;
  for (const RegionName& name : names) {
    const absl::StatusOr<Region*> region = FindServed(name);
    if (!region.ok()) {
      status = region.status();
      break;
    }
    parents.push_back(*region);
    if (parents.back()->home != parents.front()->home) {
      status = Error(ErrorKind::kMergeRegion, "regions to merge are not on one server");
    }
  }
  if (status.ok()) {
    BeginTransition(request, std::move(parents), {.kind = CommandKind::kBeginMerge, .forcible = forcible});
  } else {
    FinishPart(request, status);
  }
  return End();
}

// ---- requests ----

void Assignment::Want(Region& region, bool open, int64_t request) {
  if (region.want_open != open) {
    FinishRequests(region, absl::AbortedError(region.name + (open ? " is to be opened" : " is to be closed")));
  }
  region.want_open = open;
  region.for_a_moment = false;
  region.refusal.clear();  // it is tried again
  if (!open) region.leave = false;
  region.requests.push_back(request);
  region.attempts = 0;
  SetRetry(region, 0);
  MarkDirty(region);
}

void Assignment::FinishPart(int64_t request, const absl::Status& status) {
  const auto found = requests_.find(request);
  if (found == requests_.end()) return;
  found->second.status.Update(status);
  if (--found->second.parts > 0) return;
  out_.finished.push_back({request, std::move(found->second.status)});
  requests_.erase(found);
}

void Assignment::FinishRequests(Region& region, const absl::Status& status) {
  for (const int64_t request : std::exchange(region.requests, {})) FinishPart(request, status);
}

bool Assignment::IsAtRest(const Region& region) {
  if (region.command != 0 || region.transition != nullptr) return false;
  if (region.want_open) {
    return region.state == RegionState::kOpen && region.known == Region::Known::kServing && !region.leave;
  }
  return region.state == RegionState::kClosed || region.state == RegionState::kOffline ||
         region.state == RegionState::kFailedOpen;
}

absl::StatusOr<Region*> Assignment::FindServed(const RegionName& name) const {
  Region* region = FindRegion(name);
  if (region == nullptr) return Error(ErrorKind::kUnknownRegion, name);
  if (!region->want_open) {
    return Error(ErrorKind::kDoNotRetryRegion,
                 name + " is not OPEN; state=" + std::string(RegionStateName(View(*region).state)));
  }
  if (!IsAtRest(*region) || !IsUsable(*region->home)) return Unanswered(name + " is not served yet");
  return region;
}

// ---- regions ----

Region* Assignment::FindRegion(const RegionName& name) const {
  const auto found = regions_.find(name);
  return found == regions_.end() ? nullptr : found->second.get();
}

Region& Assignment::NewRegion(std::shared_ptr<const RegionInfo> info) {
  auto region = std::make_unique<Region>();
  region->name = info->EncodedName();
  region->info = std::move(info);
  region->number = next_number_++;
  if (Region* old = FindRegion(region->name); old != nullptr) EraseRegion(*old);
  Region& added = *region;
  in_order_.insert(&added);
  regions_[added.name] = std::move(region);
  MarkDirty(added);
  return added;
}

// An unassigned region stays closed; all others of an enabled table open. So a move that a master did not live to end
// is ended, and an unassignment that it did not live to end is undone.
bool Assignment::IsToBeOpen(const LoadedRegion& loaded) {
  return loaded.table_enabled && (loaded.state != RegionState::kClosed || loaded.table_changing);
}

Region& Assignment::AddRegion(const LoadedRegion& loaded) {
  Region& region = NewRegion(std::make_shared<const RegionInfo>(loaded.info));
  region.state = loaded.state;
  if (!loaded.home.empty()) SetHome(region, &GetServer(loaded.home));
  if (loaded.state == RegionState::kOpening && !loaded.target.empty()) {
    GetServer(loaded.target);
    region.target = servers_.at(loaded.target);
  }
  region.table = loaded.table;
  region.want_open = IsToBeOpen(loaded);
  if (region.home != nullptr && region.home->state == ServerView::State::kDead) unrecovered_.insert(loaded.home);
  return region;
}

void Assignment::EraseRegion(Region& region) {
  StopWaiting(region);
  if (region.transition != nullptr) std::erase(region.transition->members, &region);
  if (region.home != nullptr) region.home->homed.erase(&region);
  SetRetry(region, 0);
  for (RegionSet* set : {&in_order_, &dirty_, &unplaced_, &changed_}) set->erase(&region);
  regions_.erase(RegionName(region.name));
}

// ---- the end of an input ----

Outputs Assignment::End() {
  CheckStarted();
  do {
    while (!dirty_.empty()) {
      Region& region = **dirty_.begin();
      dirty_.erase(dirty_.begin());
      Step(region);
    }
    PlaceRegions();
  } while (!dirty_.empty());
  StartRecoveries();
  FormCommands();
  for (const Region* region : changed_) {
    if (!region->in_meta) continue;
    out_.changes.push_back({.info = region->info,
                            .state = region->state,
                            .home = region->home == nullptr ? "" : region->home->name,
                            .target = region->target == nullptr ? "" : region->target->name});
  }
  changed_.clear();
  return std::exchange(out_, {});
}

void Assignment::FormCommands() {
  for (auto& [group, regions] : std::exchange(to_send_, {})) {
    for (size_t first = 0; first < regions.size(); first += settings_.regions_per_command) {
      const size_t last = std::min(regions.size(), first + settings_.regions_per_command);
      Command command{.kind = group.kind, .server = group.server, .other = group.other};
      for (size_t i = first; i < last; ++i) {
        command.regions.push_back(
            {regions[i]->name, regions[i]->info, regions[i]->home == nullptr, regions[i]->refusal, regions[i]->table});
      }
      const int64_t id = SendCommand(std::move(command));
      for (size_t i = first; i < last; ++i) regions[i]->command = id;
    }
  }
}

int64_t Assignment::SendCommand(Command command, Transition* transition) {
  command.id = next_command_++;
  out_.commands.push_back(command);
  const int64_t id = command.id;
  flights_[id] = {std::move(command), now_ms_ + settings_.resend_ms, transition};
  return id;
}

void Assignment::SendAgainLater(const Flight& flight) {
  const int64_t id = next_command_++;
  flights_[id] = {flight.command, now_ms_ + settings_.resend_ms, flight.transition};
  flights_[id].command.id = id;
}

int64_t Assignment::BackoffMs(int attempts) const {
  return std::min(settings_.max_retry_ms, settings_.retry_ms << std::min(attempts, 20));
}

// ---- queries ----

int64_t Assignment::NextWakeMs(int64_t now_ms) const {
  const int64_t lease_ms = settings_.lease_ms + settings_.lease_margin_ms;
  int64_t wake_ms = now_ms + lease_ms;
  for (const auto& [name, server] : servers_) {
    const bool has_lease = server->state != ServerView::State::kDead && server->leased;
    if (has_lease) wake_ms = std::min(wake_ms, server->heard_ms + lease_ms + 1);
  }
  for (const std::string& name : unrecovered_) {
    // One that waits for a server to recover it is woken by that server.
    if (const int64_t retry_ms = servers_.at(name)->retry_ms; retry_ms > now_ms) wake_ms = std::min(wake_ms, retry_ms);
  }
  for (const auto& [id, flight] : flights_) wake_ms = std::min(wake_ms, flight.resend_ms);
  if (!retries_.empty()) wake_ms = std::min(wake_ms, std::get<0>(*retries_.begin()));
  return std::max(wake_ms, now_ms);
}

RegionView Assignment::View(const Region& region) {
  RegionView view{
      .info = region.info, .state = region.state, .in_transition_ms = region.since_ms, .attempts = region.attempts};
  view.serving = region.known == Region::Known::kServing;
  if (region.home != nullptr) view.home = region.home->name;
  if (region.state == RegionState::kOpening && region.target != nullptr) {
    view.server = region.target->name;
  } else if (region.state == RegionState::kOpen || region.state == RegionState::kClosing) {
    view.server = view.home;
  }
  if (region.transition != nullptr && !region.transition->commit) {
    view.state = region.transition->split ? RegionState::kSplitting : RegionState::kMerging;
  }
  return view;
}

std::optional<RegionView> Assignment::Find(const RegionName& name) const {
  const Region* region = FindRegion(name);
  if (region == nullptr) return std::nullopt;
  return View(*region);
}

std::set<int64_t> Assignment::UnansweredOpenings(const std::vector<RegionName>& regions) const {
  std::set<int64_t> commands;
  for (const RegionName& name : regions) {
    const Region* region = FindRegion(name);
    const auto flight = region == nullptr ? flights_.end() : flights_.find(region->command);
    if (flight != flights_.end() && flight->second.command.kind == CommandKind::kOpen) commands.insert(flight->first);
  }
  return commands;
}

std::vector<RegionView> Assignment::Regions() const {
  std::vector<RegionView> views;
  views.reserve(in_order_.size());
  for (const Region* region : in_order_) {
    if (region->in_meta) views.push_back(View(*region));
  }
  return views;
}

std::vector<RegionView> Assignment::RegionsOf(const TableName& table) const {
  std::vector<RegionView> views;
  for (const Region* region : in_order_) {
    if (region->info->table == table) views.push_back(View(*region));
  }
  return views;
}

std::vector<RegionView> Assignment::InTransition() const {
  std::vector<RegionView> views;
  for (const Region* region : in_order_) {
    if (region->since_ms >= 0) views.push_back(View(*region));
  }
  return views;
}

std::vector<ServerView> Assignment::Servers() const {
  std::vector<ServerView> views;
  for (const auto& [name, server] : servers_) {
    const bool is_dead = server->state == ServerView::State::kDead;
    if (is_dead && server->homed.empty() && HasLaterLife(*server)) continue;  // as HBase forgets it
    views.push_back({.name = name,
                     .state = server->state,
                     .draining = server->draining != Draining::kNo,
                     .recovering = is_dead && NeedsRecovery(*server),
                     .leased = server->leased,
                     .heard_ms = server->heard_ms,
                     .homed = server->homed.size()});
  }
  return views;
}

}  // namespace vaquita::assignment

// The servers: who is alive, what a new life inherits, who recovers a dead one's regions.
#include <algorithm>
#include <utility>

#include "base/status.h"
#include "model/server_name.h"
#include "server/master/assignment/state_machine/assignment.h"

namespace vaquita::assignment {
namespace {

// Returns the latest of `lives`, all of one address, that `accepts` takes; empty if it takes none.
template <typename Accepts>
std::string Latest(const std::set<std::string>& lives, const Accepts& accepts) {
  std::string latest;
  for (const std::string& life : lives) {
    if (accepts(life) && (latest.empty() || IsEarlierLife(latest, life))) latest = life;
  }
  return latest;
}

bool IsBefore(const Server* a, const Server* b) { return a->start_code < b->start_code; }

}  // namespace

// ---- inputs ----

Outputs Assignment::Register(int64_t now_ms, const Registration& registration, RegistrationDecision* decision) {
  now_ms_ = now_ms;
  Server& server = GetServer(registration.server);
  const std::vector<Server*> lives = LivesAt(server.address);
  if (HasLaterLife(server) || server.state == ServerView::State::kDead) {
    decision->membership = Membership::kDead;
    if (server.state != ServerView::State::kDead) Die(server);
    const bool one_lives = std::any_of(lives.begin(), lives.end(),
                                       [](const Server* life) { return life->state == ServerView::State::kLive; });
    if (registration.new_life && !one_lives) {
      decision->later_life = (*std::max_element(lives.begin(), lives.end(), IsBefore))->name;
    }
    ForgetIfGone(server);
    return End();
  }
  // Two processes cannot listen on one address: the earlier lives are over, even if their leases last.
  for (Server* earlier : lives) {
    if (earlier == &server) continue;
    if (!earlier->noted_dead) TakeOver(*earlier, server);
    ForgetIfGone(*earlier);
  }
  server.state = ServerView::State::kLive;
  server.leased = registration.leased;
  server.heard_ms = now_ms;
  if (!registration.new_life) return End();
  for (const Region* region : server.homed) {
    // A region in a handoff need not wait for this server, and may be elsewhere before it has opened the folder.
    if (region->known == Region::Known::kHandedOver) continue;
    decision->regions.push_back({region->info, region->want_open, region->table});
  }
  decision->adopt = !decision->regions.empty();
  return End();
}

Outputs Assignment::Report(int64_t now_ms, const ServerState& state, Membership* membership) {
  now_ms_ = now_ms;
  const auto found = servers_.find(state.server);
  if (found == servers_.end() || found->second->state == ServerView::State::kExpected) {
    *membership = Membership::kUnknown;
    return End();
  }
  Server& server = *found->second;
  *membership = server.state == ServerView::State::kDead ? Membership::kDead : Membership::kMember;
  if (*membership == Membership::kDead) return End();
  server.heard_ms = now_ms;
  if (!state.ready || server.ready || HasLeftovers(server)) return End();
  for (const PendingTransition& pending : state.transitions) ResumeTransition(server, pending);
  if (!DropLeftovers(server, state.open_regions)) BecomeReady(server);
  return End();
}

Outputs Assignment::SetDraining(int64_t now_ms, const std::string& name, Draining draining) {
  now_ms_ = now_ms;
  if (draining != Draining::kNo) {
    draining_[name] = draining;
  } else {
    draining_.erase(name);
  }
  if (const auto found = servers_.find(name); found != servers_.end()) found->second->draining = draining;
  WakeDraining();
  return End();
}

Outputs Assignment::Leave(int64_t now_ms, const std::string& name, bool* left) {
  now_ms_ = now_ms;
  const auto found = servers_.find(name);
  *left = found == servers_.end() || !NeedsRecovery(*found->second);
  if (*left && found != servers_.end() && found->second->state != ServerView::State::kDead) Die(*found->second);
  return End();
}

// ---- life and death ----

Server& Assignment::GetServer(const std::string& name) {
  std::shared_ptr<Server>& server = servers_[name];
  if (server == nullptr) {
    server = std::make_shared<Server>();
    server->name = server->address = name;
    if (const auto parsed = ServerName::Parse(name); parsed.ok()) {
      server->address.resize(name.rfind(',') + 1);
      server->start_code = parsed->start_code;
    }
    server->heard_ms = now_ms_;
    if (const auto found = draining_.find(name); found != draining_.end()) server->draining = found->second;
  }
  return *server;
}

bool Assignment::IsUsable(const Server& server) { return server.state == ServerView::State::kLive && server.ready; }

bool Assignment::IsReady(const std::string& name) const {
  const auto found = servers_.find(name);
  return found != servers_.end() && found->second->ready;
}

bool Assignment::IsStarting(const std::string& name) const {
  const auto found = servers_.find(name);
  return found != servers_.end() && found->second->state == ServerView::State::kLive && !found->second->ready;
}

bool Assignment::IsLeased(const std::string& name) const {
  const auto found = servers_.find(name);
  return found == servers_.end() || found->second->leased;
}

bool Assignment::IsPlaceable(const Server& server) const {
  return IsUsable(server) && server.draining == Draining::kNo;
}

std::vector<std::string> Assignment::Placeable() const {
  std::vector<std::string> names;
  for (const auto& [name, server] : servers_) {
    if (IsPlaceable(*server)) names.push_back(name);
  }
  return names;
}

bool Assignment::HasAnother(const Server& server) const {
  return std::any_of(servers_.begin(), servers_.end(),
                     [&](const auto& other) { return other.second.get() != &server && IsPlaceable(*other.second); });
}

bool Assignment::CanLeave(const Server& server) const {
  return server.draining == Draining::kAllLeave && started_ && HasAnother(server);
}

void Assignment::CheckStarted() {
  if (started_) return;
  int64_t usable = 0;
  for (const auto& [name, server] : servers_) {
    if (server->state == ServerView::State::kExpected) return;
    usable += IsUsable(*server);
  }
  if (usable < settings_.min_servers) return;
  started_ = true;
  WakeDraining();
}

void Assignment::BecomeReady(Server& server) {
  server.ready = true;
  WakeWaiting(server);
  WakeDraining();
}

void Assignment::Die(Server& server) {
  server.state = ServerView::State::kDead;
  server.ready = false;
  LoseCommands(server);
  for (Region* region : server.homed) {
    if (region->known != Region::Known::kHandedOver) region->known = Region::Known::kNothing;
    // Whoever lives finds out whether that is still so, and answers its clients.
    if (region->state == RegionState::kFailedOpen) region->want_open = true;
    SetRetry(*region, 0);
    MarkDirty(*region);
  }
  WakeWaiting(server);
  if (NeedsRecovery(server)) unrecovered_.insert(server.name);
}

void Assignment::EndLeases() {
  std::vector<Server*> silent;
  int64_t late_ms = 0;
  for (const auto& [name, server] : servers_) {
    const int64_t ended_ms = server->heard_ms + settings_.lease_ms + settings_.lease_margin_ms;
    if (server->state == ServerView::State::kDead || !server->leased || now_ms_ <= ended_ms) continue;
    silent.push_back(server.get());
    late_ms = std::max(late_ms, now_ms_ - ended_ms);
  }
  for (Server* server : silent) {
    if (late_ms <= settings_.late_ms) {
      Die(*server);
    } else {
      server->heard_ms = now_ms_;
      out_.heard_late.push_back(server->name);
    }
  }
}

std::vector<Server*> Assignment::LivesAt(const std::string& address) const {
  std::vector<Server*> lives;
  for (auto it = servers_.lower_bound(address); it != servers_.end() && it->first.starts_with(address); ++it) {
    if (it->second->address == address) lives.push_back(it->second.get());
  }
  return lives;
}

bool Assignment::HasLaterLife(const Server& server) const {
  const std::vector<Server*> lives = LivesAt(server.address);
  return std::any_of(lives.begin(), lives.end(), [&](const Server* life) { return IsBefore(&server, life); });
}

// A dead server does not answer the commands that it was given.
void Assignment::LoseCommands(const Server& server) {
  std::vector<Transition*> lost;
  for (const auto& [number, transition] : transitions_) {
    if (transition->server == &server) lost.push_back(transition.get());
  }
  for (Transition* transition : lost) {
    const bool done = transition->commit && !transition->id.empty();
    EndTransition(*transition, done ? absl::OkStatus() : Unanswered(server.name + " died"), Region::Known::kNothing);
  }
  std::erase_if(flights_, [&](const auto& entry) {
    const auto& [id, flight] = entry;
    if (flight.command.server != server.name) return false;
    if (flight.command.kind == CommandKind::kRecover) unrecovered_.insert(flight.command.other);
    for (const RegionOrder& order : flight.command.regions) {
      Region* region = FindRegion(order.region);
      if (region == nullptr || region->command != id) continue;
      region->command = 0;
      MarkDirty(*region);
    }
    return true;
  });
}

// A master that died may have written who adopts a folder, and not have renamed it: then the home has none, and the
// latest earlier life has. Or it wrote, of regions that it had been making, the home where it began them, whose folder
// a later life had adopted meanwhile.
void Assignment::EndAdoptions(const std::vector<std::string>& folders) {
  const std::set<std::string> with_folder(folders.begin(), folders.end());
  std::set<std::string> lives = with_folder;  // or whose folder is taken away
  for (const auto& [name, server] : servers_) {
    if (server->noted_dead) lives.insert(name);
  }
  for (const auto& [name, server] : servers_) {
    if (server->noted_dead || server->homed.empty() || with_folder.contains(name)) continue;
    const auto is_later = [&name = name](const std::string& life) { return IsEarlierLife(name, life); };
    const auto is_earlier = [&name = name](const std::string& life) { return IsEarlierLife(life, name); };
    // A later life had the folder, so leftovers of an earlier one do not count.
    if (const std::string later = Latest(lives, is_later); !later.empty()) {
      Die(*server);
      unrecovered_.erase(name);
      Rehome(*server, GetServer(later));
      if (GetServer(later).noted_dead) unrecovered_.insert(later);
    } else if (const std::string earlier = Latest(with_folder, is_earlier); !earlier.empty()) {
      out_.adoptions.push_back({earlier, name});
    } else {
      // It left, or was recovered, so its folder is gone: all that it had is handed over, and not open elsewhere yet.
      Die(*server);
      unrecovered_.erase(name);
      for (Region* region : server->homed) region->known = Region::Known::kHandedOver;
    }
  }
}

void Assignment::TakeOver(Server& earlier, Server& later) {
  if (earlier.state != ServerView::State::kDead) Die(earlier);
  unrecovered_.erase(earlier.name);
  if (NeedsRecovery(earlier)) out_.adoptions.push_back({earlier.name, later.name});
  Rehome(earlier, later);
}

void Assignment::Rehome(Server& earlier, Server& later) {
  for (Region* region : RegionSet(earlier.homed)) {
    SetHome(*region, &later);
    changed_.insert(region);
    MarkDirty(*region);
  }
}

// ---- waiting ----

void Assignment::WaitFor(Region& region, Server& server) {
  region.waits_for = &server;
  server.waiting.insert(&region);
}

void Assignment::StopWaiting(Region& region) {
  if (region.waits_for == nullptr) return;
  region.waits_for->waiting.erase(&region);
  region.waits_for = nullptr;
}

void Assignment::WakeWaiting(Server& server) {
  for (Region* region : std::exchange(server.waiting, {})) {
    region->waits_for = nullptr;
    MarkDirty(*region);
  }
}

void Assignment::WakeDraining() {
  for (const auto& [name, server] : servers_) {
    if (CanLeave(*server)) dirty_.insert(server->homed.begin(), server->homed.end());
  }
}

// ---- recovery ----

bool Assignment::NeedsRecovery(const Server& server) {
  return std::any_of(server.homed.begin(), server.homed.end(),
                     [](const Region* region) { return region->known != Region::Known::kHandedOver; });
}

void Assignment::StartRecoveries() {
  if (unrecovered_.empty()) return;
  std::map<std::string, int> busy;  // recoveries by each server that could take one more
  for (const auto& [name, server] : servers_) {
    if (IsUsable(*server)) busy[name] = server->draining == Draining::kNo ? 0 : 1000;
  }
  for (const auto& [id, flight] : flights_) {
    if (flight.command.kind == CommandKind::kRecover) ++busy[flight.command.server];
  }
  if (busy.empty()) return;
  for (const std::string& name : std::set<std::string>(unrecovered_)) {
    Server& dead = *servers_.at(name);
    if (dead.retry_ms > now_ms_) continue;
    unrecovered_.erase(name);
    if (!NeedsRecovery(dead)) {
      EndRecovery(dead);
      continue;
    }
    const auto least =
        std::min_element(busy.begin(), busy.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    ++least->second;
    StartRecovery(dead, least->first);
  }
}

void Assignment::StartRecovery(Server& dead, const std::string& recoverer) {
  if (!dead.noted_dead) out_.now_dead.push_back(dead.name);
  dead.noted_dead = true;
  Command command{.kind = CommandKind::kRecover, .server = recoverer, .other = dead.name};
  for (const Region* region : dead.homed) {
    if (region->known == Region::Known::kHandedOver) continue;
    command.regions.push_back({.region = region->name, .info = region->info, .table = region->table});
  }
  SendCommand(std::move(command));
}

void Assignment::RecoveryResult(const Command& command, const CommandResult& result) {
  Server& dead = *servers_.at(command.other);
  const bool all_damaged = absl::IsDataLoss(result.status);
  absl::Status status = all_damaged ? absl::OkStatus() : result.status;
  for (const absl::Status& region : result.regions) {
    // Data that is damaged, or nowhere time and again, must not keep the other regions.
    if (absl::IsDataLoss(region)) continue;
    if (absl::IsNotFound(region) && dead.attempts >= settings_.max_attempts_without_data) continue;
    status.Update(region);
  }
  if (!status.ok()) {
    dead.retry_ms = now_ms_ + BackoffMs(dead.attempts++);
    unrecovered_.insert(dead.name);
    return;
  }
  for (size_t i = 0; i < command.regions.size(); ++i) {
    Region* region = FindRegion(command.regions[i].region);
    if (region == nullptr || region->home != &dead) continue;
    region->known = Region::Known::kHandedOver;
    const absl::Status why = all_damaged ? result.status : i < result.regions.size() ? result.regions[i] : status;
    if (absl::IsDataLoss(why) && region->want_open) Refuse(*region, why);
    MarkDirty(*region);
  }
  EndRecovery(dead);
}

void Assignment::EndRecovery(Server& dead) {
  std::vector<RegionName>& unwanted = out_.unwanted_handoffs;
  unwanted.insert(unwanted.end(), dead.removed.begin(), dead.removed.end());
  dead.removed.clear();
}

void Assignment::ForgetEarlierLives() {
  for (auto next = servers_.begin(); next != servers_.end();) {
    Server& server = *(next++)->second;
    if (server.state == ServerView::State::kDead) ForgetIfGone(server);
  }
}

// Forgets a dead server, and the next master need not know of it either, if a later life says that the process is gone,
// and nothing is left to be done for it.
void Assignment::ForgetIfGone(const Server& server) {
  const auto is_its_recovery = [&](const auto& entry) {
    const Command& command = entry.second.command;
    return command.kind == CommandKind::kRecover && command.other == server.name;
  };
  if (server.state != ServerView::State::kDead || !server.homed.empty() || !server.waiting.empty()) return;
  if (unrecovered_.contains(server.name) || !HasLaterLife(server)) return;
  if (std::any_of(flights_.begin(), flights_.end(), is_its_recovery)) return;
  if (server.noted_dead) out_.no_longer_dead.push_back(server.name);
  servers_.erase(servers_.find(server.name));
}

bool Assignment::HasLeftovers(const Server& server) const {
  return std::any_of(flights_.begin(), flights_.end(), [&](const auto& entry) {
    return entry.second.command.kind == CommandKind::kDrop && entry.second.command.server == server.name;
  });
}

// Drops regions that are open but not in meta, because an earlier master died. Otherwise this master would believe that
// it had opened them.
bool Assignment::DropLeftovers(const Server& server, const std::vector<RegionName>& open_regions) {
  Command command{.kind = CommandKind::kDrop, .server = server.name};
  for (const RegionName& name : open_regions) {
    const Region* region = FindRegion(name);
    if (region != nullptr && (region->home == &server || region->target.get() == &server)) continue;
    command.regions.push_back({name, region == nullptr ? nullptr : region->info});
  }
  if (command.regions.empty()) return false;
  SendCommand(std::move(command));
  return true;
}

void Assignment::DropResult(const Flight& flight, const CommandResult& result) {
  absl::Status status = result.status;
  for (const absl::Status& region : result.regions) status.Update(region);
  if (!status.ok()) return SendAgainLater(flight);
  BecomeReady(*servers_.at(flight.command.server));
}

}  // namespace vaquita::assignment

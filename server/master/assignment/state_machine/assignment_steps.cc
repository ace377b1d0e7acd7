// The steps of one region: Step() compares where it is with where it shall be, and does the next thing.
#include <algorithm>
#include <utility>

#include "base/status.h"
#include "server/master/assignment/state_machine/assignment.h"

namespace vaquita::assignment {

void Assignment::Step(Region& region) {
  StopWaiting(region);
  unplaced_.erase(&region);
  if (region.since_ms < 0 && !IsAtRest(region)) region.since_ms = now_ms_;
  if (region.command != 0 || region.transition != nullptr || region.retry_ms > now_ms_) return;
  const Home home = HomeOf(region);
  if (home == Home::kUnclear) return;
  switch (region.state) {
    case RegionState::kOpen:
      return StepOpen(region, home);
    case RegionState::kClosing:
      return StepClosing(region, home);
    case RegionState::kOpening:
      return StepOpening(region, home);
    default:
      return StepClosed(region, home);
  }
}

Assignment::Home Assignment::HomeOf(Region& region) {
  if (region.home == nullptr) return Home::kNone;
  if (region.known == Region::Known::kHandedOver) return Home::kHandedOver;
  if (IsUsable(*region.home)) return Home::kLive;
  WaitFor(region, *region.home);
  return Home::kUnclear;
}

bool Assignment::MustLeave(const Region& region) const { return region.leave || CanLeave(*region.home); }

void Assignment::StepOpen(Region& region, Home home) {
  if (home != Home::kLive) {  // its server died, and it was recovered
    if (region.want_open) return ChooseTarget(region);
    SetClosed(region);
    return StepClosed(region, home);
  }
  if (!region.want_open || MustLeave(region)) {
    SetState(region, RegionState::kClosing);
    return StepClosing(region, home);
  }
  switch (region.known) {
    case Region::Known::kServing:
      return Settled(region);
    case Region::Known::kOpened:
      return Send(region, CommandKind::kServe, *region.home);
    default:
      return Send(region, CommandKind::kOpen, *region.home);
  }
}

void Assignment::StepClosing(Region& region, Home home) {
  if (home == Home::kLive && region.known != Region::Known::kClosed) {
    return Send(region, CommandKind::kClose, *region.home, region.want_open ? region.wanted : "");
  }
  if (region.want_open) return ChooseTarget(region);
  SetClosed(region);
  StepClosed(region, home);
}

// It opens also if it is to be closed by now: the target may have opened it already, for this master or the last one.
void Assignment::StepOpening(Region& region, Home home) {
  if (region.target == nullptr || region.target->state == ServerView::State::kDead) {
    if (region.want_open) return ChooseTarget(region);
    SetClosed(region);
    return StepClosed(region, home);
  }
  if (!IsUsable(*region.target)) return WaitFor(region, *region.target);
  if (home == Home::kLive && region.home != region.target.get()) {
    const bool is_closed =
        region.known == Region::Known::kClosed;  // it is, but a refused opening may have come between
    return Send(region, is_closed ? CommandKind::kRelease : CommandKind::kClose, *region.home);
  }
  Send(region, CommandKind::kOpen, *region.target);
}

void Assignment::StepClosed(Region& region, Home home) {
  if (region.want_open) return ChooseTarget(region);
  const bool has_data = region.state != RegionState::kFailedOpen;
  if (has_data && home == Home::kLive && CanLeave(*region.home) && !region.for_a_moment) {
    return Send(region, CommandKind::kRelease, *region.home);
  }
  if (!region.requests.empty()) SetClosed(region);
  Settled(region);
}

void Assignment::Settled(Region& region) {
  region.since_ms = -1;
  region.attempts = 0;
  region.wanted.clear();
  region.avoid.clear();
  FinishRequests(region, absl::OkStatus());
}

// ---- changes ----

void Assignment::SetState(Region& region, RegionState state) {
  region.state = state;
  if (state != RegionState::kOpening) region.target = nullptr;
  changed_.insert(&region);
}

void Assignment::SetClosed(Region& region) {
  const RegionState state = region.for_a_moment ? RegionState::kOffline : RegionState::kClosed;
  if (region.state != state) SetState(region, state);
}

void Assignment::SetHome(Region& region, Server* home) {
  if (region.home != nullptr) region.home->homed.erase(&region);
  region.home = home;
  home->homed.insert(&region);
}

void Assignment::SetOpening(Region& region, Server& target) {
  region.leave = false;
  region.target = servers_.at(target.name);
  SetState(region, RegionState::kOpening);
  MarkDirty(region);
}

void Assignment::SetRetry(Region& region, int64_t at_ms) {
  if (region.retry_ms != 0) retries_.erase({region.retry_ms, region.number, &region});
  region.retry_ms = at_ms;
  if (at_ms != 0) retries_.insert({at_ms, region.number, &region});
}

void Assignment::RetryLater(Region& region) { SetRetry(region, now_ms_ + BackoffMs(region.attempts++)); }

// ---- where to ----

void Assignment::ChooseTarget(Region& region) {
  const auto wanted = servers_.find(std::exchange(region.wanted, ""));
  if (wanted != servers_.end() && IsUsable(*wanted->second)) return SetOpening(region, *wanted->second);
  unplaced_.insert(&region);
}

void Assignment::PlaceRegions() {
  if (!started_ || unplaced_.empty()) return;
  const std::vector<std::string> servers = Placeable();
  if (servers.empty()) return;
  std::vector<std::string> last_servers;
  for (const Region* region : unplaced_) last_servers.push_back(region->home == nullptr ? "" : region->home->name);
  const std::vector<std::string> chosen = placement_(last_servers, servers);
  size_t i = 0;
  for (Region* region : std::exchange(unplaced_, {})) {
    size_t choice = i < chosen.size() ? std::find(servers.begin(), servers.end(), chosen[i]) - servers.begin() : i;
    choice %= servers.size();
    if (region->avoid == servers[choice]) choice = (choice + 1) % servers.size();
    SetOpening(*region, *servers_.at(servers[choice]));
    ++i;
  }
}

// ---- commands and what comes of them ----

void Assignment::Send(Region& region, CommandKind kind, const Server& server, const std::string& other) {
  region.command = -1;  // its id comes when the commands are formed
  to_send_[{kind, server.name, other}].push_back(&region);
}

void Assignment::RegionResult(Region& region, const Command& command, const absl::Status& status) {
  region.command = 0;
  MarkDirty(region);
  switch (command.kind) {
    case CommandKind::kOpen:
      if (!status.ok()) return OpenFailed(region, status);
      region.known = Region::Known::kOpened;
      region.refusal.clear();
      if (region.state == RegionState::kOpening) {
        SetHome(region, region.target.get());
        SetState(region, RegionState::kOpen);
      }
      return;
    case CommandKind::kServe:
      region.known = status.ok() ? Region::Known::kServing : Region::Known::kNothing;
      break;
    case CommandKind::kClose:
      if (status.ok() || IsError(status, ErrorKind::kNotServingRegion)) {
        region.known = Region::Known::kClosed;
        return;
      }
      break;
    case CommandKind::kRelease:
      if (status.ok()) region.known = Region::Known::kHandedOver;
      if (region.want_open && IsHopeless(region, status)) {
        region.known = Region::Known::kHandedOver;
        return Refuse(region, status);
      }
      break;
    default:
      return;
  }
  if (!status.ok()) RetryLater(region);
}

void Assignment::OpenFailed(Region& region, const absl::Status& status) {
  const bool at_home = region.state == RegionState::kOpen;
  // The server that found the data damaged tells clients so, and they find it by the home. The data are in the
  // handoff, if not at home.
  if (absl::IsDataLoss(status) && region.target != nullptr) SetHome(region, region.target.get());
  if (const Server* const refuser = at_home ? region.home : region.target.get(); refuser != nullptr) {
    region.avoid = refuser->name;
  }
  const bool is_nowhere = !absl::IsDataLoss(status) && IsHopeless(region, status);
  if (is_nowhere && region.refusal.empty()) return Refuse(region, status);
  if (region.attempts + 1 >= settings_.max_open_attempts || IsHopeless(region, status)) return GiveUp(region, status);
  region.leave = at_home;
  region.target = nullptr;  // another one, if there is one
  RetryLater(region);
}

// Its data are damaged, or nowhere: no server's folder has them, and there is no handoff.
bool Assignment::IsHopeless(const Region& region, const absl::Status& status) const {
  if (absl::IsDataLoss(status)) return true;
  return absl::IsNotFound(status) && region.attempts + 1 >= settings_.max_attempts_without_data;
}

// Refuses a region whose data are damaged or missing. Clients would go on asking the server that meta names, which is
// dead or does not know the region. So another server gets the region with the refusal: it tells clients, and becomes
// the region's home.
void Assignment::Refuse(Region& region, const absl::Status& why) {
  region.refusal = (absl::IsNotFound(why) ? "its data are nowhere: " : "") + std::string(why.message());
  region.want_open = true;
  region.leave = false;
  region.target = nullptr;
  region.attempts = 0;
  MarkDirty(region);
}

// Until it is assigned, its home dies, or another master leads. It is no region in transition: nothing is done for it.
void Assignment::GiveUp(Region& region, const absl::Status& status) {
  region.want_open = false;
  region.leave = false;
  SetState(region, RegionState::kFailedOpen);
  region.since_ms = -1;
  region.attempts = 0;
  FinishRequests(region, status);
}

}  // namespace vaquita::assignment

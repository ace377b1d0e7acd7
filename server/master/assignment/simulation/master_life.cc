#include "server/master/assignment/simulation/master_life.h"

#include <algorithm>
#include <utility>

#include "server/master/assignment/simulation/server_life.h"

namespace vaquita::assignment {
namespace {

Settings MakeSettings(Broken broken) {
  Settings settings;
  settings.lease_ms = kLeaseMs;
  settings.lease_margin_ms = broken == Broken::kImpatientMaster ? -kLeaseMs / 2 : kLeaseMarginMs;
  settings.late_ms = 40;
  settings.resend_ms = 60;
  settings.retry_ms = 20;
  settings.max_retry_ms = 200;
  settings.regions_per_command = 3;
  return settings;
}

LoadedMeta Load(const SharedDisk& disk) {
  LoadedMeta meta;
  for (const auto& [name, row] : disk.meta) {
    meta.regions.push_back({.info = *row.info, .state = row.state, .home = row.home, .target = row.target});
  }
  meta.folders = disk.ServerFolders();
  meta.dead_servers.assign(disk.noted_dead.begin(), disk.noted_dead.end());
  return meta;
}

}  // namespace

MasterLife::MasterLife(World* world) : world_(*world), epoch_(++world->disk.epoch) {
  machine_ = std::make_unique<Assignment>(
      MakeSettings(world->broken),
      [this](const std::vector<std::string>& last_servers, const std::vector<std::string>& servers) {
        std::vector<std::string> chosen;
        for (size_t i = 0; i < last_servers.size(); ++i) {
          chosen.push_back(servers[world_.loop.Random(servers.size())]);
        }
        return chosen;
      });
}

void MasterLife::Start() { Execute(machine_->Load(world_.loop.now_ms(), Load(world_.disk))); }

bool MasterLife::MayCrash() {
  if (world_.faults && world_.loop.Random(300) == 0) {
    world_.Trace("master %lld crashes in the middle", static_cast<long long>(epoch_));
    up = false;
  }
  return up;
}

bool MasterLife::Execute(Outputs outputs) {
  finished_ += static_cast<int64_t>(outputs.finished.size());
  const bool anything = !outputs.commands.empty() || !outputs.changes.empty();
  if (world_.broken == Broken::kCommandsBeforeMeta) {
    SendCommands(outputs);
    if (anything && !MayCrash()) return false;
    if (!Apply(outputs)) return false;
  } else {
    if ((anything && !MayCrash()) || !Apply(outputs) || (anything && !MayCrash())) return false;
    SendCommands(outputs);
  }
  PlanWake();
  return up;
}

// Makes the writes of the real journal (assignment_journal.cc), in its order. False: it crashed between two of them.
bool MasterLife::Apply(const Outputs& outputs) {
  SharedDisk& disk = world_.disk;
  if (world_.broken != Broken::kForgetsTheDead) {
    for (const std::string& server : outputs.now_dead) {
      if (!MayCrash()) return false;
      disk.noted_dead.insert(server);
    }
  }
  if ((!outputs.transitions.empty() || !outputs.changes.empty()) && !MayCrash()) return false;
  for (const TransitionChange& change : outputs.transitions) {
    ++(change.split ? world_.counts.splits : world_.counts.merges);
    for (const auto& info : change.parents) disk.meta.erase(info->EncodedName());
    for (const auto& info : change.new_regions) {
      disk.meta[info->EncodedName()] = {info, RangeOf(*info), RegionState::kOpen, change.server, ""};
      world_.Trace("meta: %s [%s,%s) is new, OPEN on %s", info->EncodedName().substr(0, 6).c_str(),
                   info->start_key.c_str(), info->end_key.c_str(), change.server.c_str());
    }
  }
  for (const RegionChange& change : outputs.changes) {
    const RegionName name = change.info->EncodedName();
    if (change.state == RegionState::kOpening) ++world_.counts.openings;
    disk.meta[name] = {change.info, RangeOf(*change.info), change.state, change.home, change.target};
    world_.Trace("meta: %s %s home %s target %s", name.substr(0, 6).c_str(),
                 std::string(RegionStateName(change.state)).c_str(), change.home.c_str(), change.target.c_str());
  }
  if (!outputs.changes.empty() || !outputs.transitions.empty()) world_.data_changed = true;
  world_.counts.recoveries += static_cast<int64_t>(outputs.now_dead.size());
  for (const std::string& server : outputs.now_dead) world_.Trace("noted: %s is dead", server.c_str());
  for (const auto& [earlier, later] : outputs.adoptions) {
    if (world_.FaultChance(10)) up = false;
    if (!up) return false;
    auto node = disk.folders.extract(SharedDisk::ServerPath(earlier));
    if (node.empty()) continue;
    node.key() = SharedDisk::ServerPath(later);
    disk.folders.insert(std::move(node));
    ++world_.counts.adoptions;
    world_.Trace("the folder of %s goes to %s", earlier.c_str(), later.c_str());
  }
  for (const std::string& server : outputs.no_longer_dead) {
    if (!MayCrash()) return false;
    disk.noted_dead.erase(server);
  }
  for (const RegionName& region : outputs.unwanted_handoffs) {
    if (!MayCrash()) return false;
    if (disk.meta.contains(region)) world_.Fail("the handoff of " + region + ", which is in meta, is not wanted");
    disk.handoffs.erase(region);
  }
  return true;
}

void MasterLife::SendCommands(const Outputs& outputs) {
  for (const Command& command : outputs.commands) {
    std::string regions;
    if (world_.trace) {
      for (const RegionOrder& order : command.regions) regions += " " + order.region.substr(0, 6);
      world_.Trace("master %lld: %s #%lld to %s%s %s", static_cast<long long>(epoch_), CommandName(command.kind),
                   static_cast<long long>(command.id), command.server.c_str(), regions.c_str(), command.other.c_str());
    }
    const auto found = world_.servers.find(command.server);
    if (found == world_.servers.end()) continue;
    world_.loop.Send(found->second,
                     [server = found->second.get(), epoch = epoch_, command] { server->OnCommand(epoch, command); });
  }
}

void MasterLife::OnRegister(const Registration& registration,
                            const std::function<void(const RegistrationDecision&)>& answer) {
  RegistrationDecision decision;
  const bool alive = Execute(machine_->Register(world_.loop.now_ms(), registration, &decision));
  world_.Trace("%s registers: %s%s", registration.server.c_str(),
               decision.membership == Membership::kDead ? "dead" : "member", decision.adopt ? ", adopts" : "");
  if (alive) answer(decision);
}

void MasterLife::OnReport(const ServerState& state, const std::function<void(Membership)>& answer) {
  Membership membership = Membership::kMember;
  if (Execute(machine_->Report(world_.loop.now_ms(), state, &membership))) answer(membership);
}

void MasterLife::OnResult(int64_t epoch, const CommandResult& result) {
  if (epoch != epoch_) return;
  if (world_.trace) {
    std::string errors = result.status.ok() ? "" : result.status.ToString();
    for (const absl::Status& status : result.regions) errors += status.ok() ? " ok" : " " + status.ToString();
    world_.Trace("result of #%lld: %s", static_cast<long long>(result.id), errors.c_str());
  }
  Execute(machine_->Result(world_.loop.now_ms(), result));
}

void MasterLife::PlanWake() {
  const int64_t now_ms = world_.loop.now_ms();
  const int64_t wake_ms = std::max(machine_->NextWakeMs(now_ms), now_ms + 1);
  if (wake_ms_ > now_ms && wake_ms_ <= wake_ms) return;
  wake_ms_ = wake_ms;
  const int64_t asleep_ms = world_.FaultChance(1) ? 2 * kLeaseMs : 0;
  world_.loop.After(wake_ms - now_ms + asleep_ms, shared_from_this(),
                    [this] { Execute(machine_->TimePassed(world_.loop.now_ms())); });
}

}  // namespace vaquita::assignment

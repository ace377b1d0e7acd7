// Splits and merges: the server links files and closes the parents, one write of meta decides, the server ends it.
#include <utility>

#include "base/status.h"
#include "server/master/assignment/state_machine/assignment.h"

namespace vaquita::assignment {

void Assignment::BeginTransition(int64_t request, std::vector<Region*> parents, Command command) {
  auto owned = std::make_unique<Transition>();
  Transition& transition = *owned;
  transition.number = next_number_++;
  transition.split = command.kind == CommandKind::kBeginSplit;
  transition.server = parents.front()->home;
  transition.request = request;
  command.server = transition.server->name;
  for (Region* parent : parents) {
    command.regions.push_back({parent->name, parent->info});
    parent->transition = &transition;
    parent->since_ms = now_ms_;
  }
  transition.members = std::move(parents);
  transitions_[transition.number] = std::move(owned);
  SendCommand(std::move(command), &transition);
}

// One that another master began: it ends as meta says.
void Assignment::ResumeTransition(Server& server, const PendingTransition& pending) {
  auto transition = std::make_unique<Transition>();
  transition->number = next_number_++;
  transition->id = pending.id;
  transition->split = pending.parents.size() == 1;
  transition->server = &server;
  for (const RegionInfo& info : pending.new_regions) transition->commit |= FindRegion(info.EncodedName()) != nullptr;
  for (const RegionInfo& info : transition->commit ? pending.new_regions : pending.parents) {
    Region* region = FindRegion(info.EncodedName());
    if (region == nullptr || region->home != &server || region->transition != nullptr) continue;
    region->transition = transition.get();
    transition->members.push_back(region);
  }
  SendEnd(*transition);
  transitions_[transition->number] = std::move(transition);
}

void Assignment::BeginResult(Transition& transition, const CommandResult& result) {
  if (!result.status.ok()) return Refused(transition, result.status);
  const size_t expected = transition.split ? 2 : 1;
  if (transition.members.empty() || result.transition.new_regions.size() != expected) {
    return Refused(transition, absl::InternalError("the server's answer lacks the parents or the new regions"));
  }
  Commit(transition, result.transition);
  SendEnd(transition);
}

// The request ends when the parents are open again, so that the next request finds them open.
void Assignment::Refused(Transition& transition, const absl::Status& status) {
  if (const auto request = requests_.find(transition.request); request != requests_.end()) {
    request->second.parts = transition.members.size() + 1;
    request->second.status.Update(status);
    for (Region* parent : transition.members) parent->requests.push_back(transition.request);
  }
  EndTransition(transition, status, Region::Known::kNothing);
}

void Assignment::Commit(Transition& transition, const PendingTransition& begun) {
  transition.id = begun.id;
  transition.commit = true;
  TransitionChange change{.split = transition.split, .server = transition.server->name};
  for (Region* parent : std::exchange(transition.members, {})) {
    change.parents.push_back(parent->info);
    FinishRequests(*parent, Error(ErrorKind::kUnknownRegion, parent->name));
    EraseRegion(*parent);
  }
  for (const RegionInfo& info : begun.new_regions) {
    change.new_regions.push_back(std::make_shared<const RegionInfo>(info));
    Region& region = NewRegion(change.new_regions.back());
    region.state = RegionState::kOpen;
    SetHome(region, transition.server);
    region.want_open = true;
    region.transition = &transition;
    region.since_ms = now_ms_;
    transition.members.push_back(&region);
  }
  out_.transitions.push_back(std::move(change));
}

void Assignment::SendEnd(Transition& transition) {
  Command command{.kind = CommandKind::kEndTransition,
                  .server = transition.server->name,
                  .transition = transition.id,
                  .commit = transition.commit};
  for (const Region* region : transition.members) command.regions.push_back({region->name, region->info});
  SendCommand(std::move(command), &transition);
}

void Assignment::EndTransition(Transition& transition, const absl::Status& status, Region::Known known) {
  for (Region* region : transition.members) {
    region->transition = nullptr;
    region->known = known;
    MarkDirty(*region);
  }
  std::erase_if(flights_, [&](const auto& entry) { return entry.second.transition == &transition; });
  if (transition.request != 0) FinishPart(transition.request, status);
  transitions_.erase(transition.number);
}

}  // namespace vaquita::assignment

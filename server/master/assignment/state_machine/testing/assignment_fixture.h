// server/master/assignment/state_machine/testing/assignment_fixture.h: an assignment, whose outputs a test sees.
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "server/master/assignment/state_machine/assignment.h"

namespace vaquita::assignment {

inline RegionInfo Info(int number) {
  char key[16];
  std::snprintf(key, sizeof key, "%06d", number);
  return {.table = {"default", "t"}, .start_key = key, .end_key = "", .id = 1};
}
inline RegionName NameOf(int number) { return Info(number).EncodedName(); }

class AssignmentTest : public ::testing::Test {
 protected:
  AssignmentTest() {
    settings_.lease_ms = 1000;
    settings_.lease_margin_ms = 100;
    settings_.max_open_attempts = 3;
  }

  // Homes have their folders, unless the test names those that there are.
  void Load(LoadedMeta meta) {
    if (meta.folders.empty()) {
      for (const LoadedRegion& region : meta.regions) meta.folders.push_back(region.home);
    }
    machine_ = std::make_unique<Assignment>(settings_, [](const auto& regions, const auto& servers) {
      std::vector<std::string> chosen;
      for (size_t i = 0; i < regions.size(); ++i) chosen.push_back(servers[i % servers.size()]);
      return chosen;
    });
    Take(machine_->Load(now_ms_, meta));
  }
  void LoadRegions(int count, RegionState state, const std::string& home) {
    LoadedMeta meta;
    for (int i = 0; i < count; ++i) meta.regions.push_back({.info = Info(i), .state = state, .home = home});
    Load(meta);
  }

  // Remembers the outputs: meta, commands that wait for their answers, ended requests.
  void Take(const Outputs& outputs) {
    for (const RegionChange& change : outputs.changes) {
      meta_[change.info->EncodedName()] = std::string(RegionStateName(change.state)) + " " +
                                          (change.state == RegionState::kOpening ? change.target : change.home);
    }
    for (const Command& command : outputs.commands) commands_[command.id] = command;
    for (const Finished& finished : outputs.finished) finished_[finished.request] = finished.status;
    for (const std::string& server : outputs.now_dead) noted_.insert(server);
    for (const std::string& server : outputs.no_longer_dead) noted_.erase(server);
    forgotten_ += outputs.no_longer_dead.size();
    for (const std::string& server : outputs.heard_late) late_.push_back(server);
    for (const RegionName& region : outputs.unwanted_handoffs) unwanted_handoffs_.push_back(region);
    for (const Adoption& adoption : outputs.adoptions) adoptions_.push_back(adoption.earlier + ">" + adoption.later);
    ++inputs_;
  }
  Membership Join(const std::string& server, bool new_life = true) {
    RegistrationDecision decision;
    Take(machine_->Register(now_ms_, {.server = server, .new_life = new_life}, &decision));
    if (decision.membership == Membership::kMember) Report({.server = server, .ready = true});
    decision_ = decision;
    return decision.membership;
  }
  Membership Report(const ServerState& state) {
    Membership membership = Membership::kMember;
    Take(machine_->Report(now_ms_, state, &membership));
    return membership;
  }
  void Pass(int64_t ms) { Take(machine_->TimePassed(now_ms_ += ms)); }
  // The kinds of the commands that wait, as "open a,1,1".
  std::vector<std::string> Waiting() const {
    std::vector<std::string> texts;
    for (const auto& [id, command] : commands_) {
      texts.push_back(std::string(CommandName(command.kind)) + " " + command.server);
    }
    return texts;
  }
  Command Answer(const absl::Status& status = absl::OkStatus()) {  // the first
    Command command = commands_.begin()->second;
    commands_.erase(commands_.begin());
    Take(machine_->Result(now_ms_, {.id = command.id, .status = status}));
    return command;
  }
  void AnswerAll() {
    while (!commands_.empty()) Answer();
  }

  Settings settings_;
  std::unique_ptr<Assignment> machine_;
  int64_t now_ms_ = 1'000'000;
  std::map<RegionName, std::string> meta_;
  std::map<int64_t, Command> commands_;
  std::map<int64_t, absl::Status> finished_;
  std::set<std::string> noted_;
  size_t forgotten_ = 0;  // noted ones
  std::vector<std::string> adoptions_;
  std::vector<RegionName> unwanted_handoffs_;
  std::vector<std::string> late_;
  RegistrationDecision decision_;
  int inputs_ = 0;
};

}  // namespace vaquita::assignment

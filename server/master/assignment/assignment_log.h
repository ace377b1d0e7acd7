// server/master/assignment/assignment_log.h: the master's log of an assignment, with a line for each step.
//
//   assignment: region=<encoded name> table=<table> state=OPENING from=<server> to=<server> reason=move ms=41
//   assignment: server=<server> state=dead to=- reason=expired
//
// Every line has all of its keys, in this order; an empty value is "-". `from` is the region's server when its
// transition began, `reason` the cause of the transition, `ms` the time since its beginning. All steps of a transition
// have the same reason. In a line about a server, `to` is the later life that took over its folder. Threads: one at a
// time. docs/operations.md has the keys and their values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/master/assignment/state_machine/messages.h"

namespace vaquita {

class AssignmentLog {
 public:
  // Returns the lines for the outputs of an input at `now_ms` with this reason.
  std::vector<std::string> Lines(const assignment::Outputs& outputs, std::string_view reason, int64_t now_ms);
  // Forgets removed regions.
  void Forget(const std::vector<std::string>& encoded_names);

 private:
  // The transition of a region that has not reached its goal.
  struct RunningTransition {
    int64_t at_ms = 0;
    std::string from;
    std::string reason;
  };

  std::string LineOf(const assignment::RegionChange& change, std::string_view reason, int64_t now_ms);

  std::unordered_map<std::string, RunningTransition> running_;  // by encoded name
};

}  // namespace vaquita

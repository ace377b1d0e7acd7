// server/master/assignment/assignment_log.h: a line for each step of an assignment, as the master's log has them.
//
//   assignment: region=<encoded name> table=<table> state=OPENING from=<server> to=<server> reason=move ms=41
//   assignment: server=<server> state=dead to=- reason=expired
//
// Every line has all of its keys, in this order; what there is none of is "-". `from` is where the region was when its
// transition began, `reason` what began it, `ms` the time since then; all steps of a transition have the same reason.
// Of a server, `to` is the later life that took over its folder. Threads: one at a time. docs/operations.md has the
// keys and their values.
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
  // The lines of what followed from an input at `now_ms`, which was `reason`.
  std::vector<std::string> Lines(const assignment::Outputs& outputs, std::string_view reason, int64_t now_ms);
  // Regions that there are no more.
  void Forget(const std::vector<std::string>& encoded_names);

 private:
  // Of a region that is not yet where it shall be.
  struct Begun {
    int64_t at_ms = 0;
    std::string from;
    std::string reason;
  };

  std::string LineOf(const assignment::RegionChange& change, std::string_view reason, int64_t now_ms);

  std::unordered_map<std::string, Begun> begun_;  // by encoded name
};

}  // namespace vaquita

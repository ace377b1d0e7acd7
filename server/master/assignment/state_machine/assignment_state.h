// server/master/assignment/state_machine/assignment_state.h: the knowledge of the assignment: servers, regions,
// transitions.
//
// An input marks the regions that it may concern; Settle() then takes steps until no region has one to take, and groups
// their commands. What was changed is written to meta once, as it is in the end.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "server/master/assignment/state_machine/messages.h"

namespace vaquita::assignment {

// A region as clients of the master see it.
struct RegionView {
  std::shared_ptr<const RegionInfo> info;
  RegionState state = RegionState::kOffline;  // SPLITTING and MERGING are seen here only
  std::string server;                         // where it is open, opening or closing; else empty
  std::string home;
  bool serving = false;           // known to be served
  int64_t in_transition_ms = -1;  // since when it has not been where it shall be; -1: it is there
  int attempts = 0;               // how often a step of the transition was refused
};

struct ServerView {
  std::string name;
  enum class State { kExpected, kLive, kDead } state = State::kLive;
  bool draining = false;    // it gets no regions; HBase: decommissioned
  bool recovering = false;  // dead, and its regions are not all handed over
  bool leased = true;       // false: it is in the master's process, and `heard_ms` says nothing
  int64_t heard_ms = 0;
  size_t homed = 0;  // regions in its folder
};

// ---- the assignment's own ----

struct Region;

// In meta's order, so that neither addresses nor hashes decide anything.
struct ByNumber {
  bool operator()(const Region* a, const Region* b) const;
};
using RegionSet = std::set<Region*, ByNumber>;

struct Server {
  std::string name;
  ServerView::State state = ServerView::State::kExpected;
  bool ready = false;  // it has opened its folder, and has nothing open that it should not
  Draining draining = Draining::kNo;
  bool noted_dead = false;  // durably: nobody believes it any more, or gives its folder to a later life
  bool leased = true;       // false: it is in the master's process
  int64_t heard_ms = 0;     // an expected one's: when it was expected first
  RegionSet homed;          // their home in meta is this server; also those handed over
  RegionSet waiting;        // for what becomes of it
  // A dead one's recovery has these.
  int attempts = 0;
  int64_t retry_ms = 0;
  std::vector<RegionName> removed;  // regions since it began, which may get their handoffs yet
};

struct Transition;

struct Region {
  // The last answer of its home to this master. A server that is asked twice answers twice.
  enum class Known { kNothing, kClosed, kOpened, kServing, kHandedOver };

  RegionName name;
  std::shared_ptr<const RegionInfo> info;
  int64_t number = 0;

  // As meta has it, unless it is only expected.
  bool in_meta = true;
  RegionState state = RegionState::kOffline;
  Server* home = nullptr;    // null: it was never open
  Server* target = nullptr;  // while OPENING

  Known known = Known::kNothing;
  // Where it shall be.
  bool want_open = false;
  bool leave = false;       // a move: its home is to close it
  std::string wanted;       // the server that a request named
  Server* avoid = nullptr;  // where it was refused, or moves away from
  std::string refusal;      // why it cannot be opened; the next server that it is offered to only tells clients so
  std::vector<int64_t> requests;

  int64_t command = 0;  // that it waits for; 0: none
  Transition* transition = nullptr;
  Server* waits_for = nullptr;  // it is in that one's `waiting`
  int attempts = 0;
  int64_t retry_ms = 0;   // no step before that
  int64_t since_ms = -1;  // it is not where it shall be since; -1: it is
};

// A split or a merge.
struct Transition {
  int64_t number = 0;
  std::string id;  // the server's; empty until it has begun
  bool split = true;
  bool commit = false;  // it ends so
  Server* server = nullptr;
  std::vector<Region*> members;  // it holds these: the parents; from its commit, the new regions
  int64_t request = 0;           // 0: another master's
};

// A command that was not answered yet.
struct Flight {
  Command command;
  int64_t resend_ms = 0;
  Transition* transition = nullptr;
};

}  // namespace vaquita::assignment

// server/master/assignment/state_machine/assignment_state.h: the state of the assignment: servers, regions,
// transitions.
//
// An input marks the regions that it may concern. Settle() then takes steps until no region has another step, groups
// their commands, and writes each changed region to meta once, in its last state.
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
  int64_t in_transition_ms = -1;  // when it left its goal; -1: it is there
  int attempts = 0;               // refused steps of the transition
};

struct ServerView {
  std::string name;
  enum class State { kExpected, kLive, kDead } state = State::kLive;
  bool draining = false;    // it gets no regions; HBase: decommissioned
  bool recovering = false;  // dead, and not all of its regions have handoffs
  bool leased = true;       // false: it is in the master's process, and `heard_ms` means nothing
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
  std::string address;     // "host,port,", with which the names of all its lives begin
  int64_t start_code = 0;  // the later of two lives has the greater one
  ServerView::State state = ServerView::State::kExpected;
  bool ready = false;  // it has opened its folder, and no regions that it should not have
  Draining draining = Draining::kNo;
  bool noted_dead = false;  // durably: no master believes it any more, or gives its folder to a later life
  bool leased = true;       // false: it is in the master's process
  int64_t heard_ms = 0;     // if expected: when it was expected first
  RegionSet homed;          // their home in meta is this server, also if they have handoffs
  RegionSet waiting;        // they wait until it registers or is recovered
  // The recovery of a dead server.
  int attempts = 0;
  int64_t retry_ms = 0;
  std::vector<RegionName> removed;  // regions that were removed since it began, and may still get handoffs
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
  std::shared_ptr<const TableDescriptor> table;  // while it is only expected
  RegionState state = RegionState::kOffline;
  Server* home = nullptr;          // null: it was never open
  std::shared_ptr<Server> target;  // while OPENING; it may have been forgotten

  Known known = Known::kNothing;
  // Its goal.
  bool want_open = false;
  bool for_a_moment = false;  // closed, and about to be wanted open again
  bool leave = false;         // a move: its home must close it
  std::string wanted;         // the server that a request named
  std::string avoid;          // the server that refused it, or that it moves away from
  std::string refusal;        // why it cannot be opened; its next server only tells clients so
  std::vector<int64_t> requests;

  int64_t command = 0;  // that it waits for; 0: none
  Transition* transition = nullptr;
  Server* waits_for = nullptr;  // it is in that one's `waiting`
  int attempts = 0;
  int64_t retry_ms = 0;   // no step before that
  int64_t since_ms = -1;  // when it left its goal; -1: it is there
};

// A split or a merge.
struct Transition {
  int64_t number = 0;
  std::string id;  // the server's; empty until it has begun
  bool split = true;
  bool commit = false;  // false: it is rolled back
  Server* server = nullptr;
  std::vector<Region*> members;  // the parents; after its commit, the new regions
  int64_t request = 0;           // 0: another master's
};

// A command that was not answered yet.
struct Flight {
  Command command;
  int64_t resend_ms = 0;
  Transition* transition = nullptr;
};

}  // namespace vaquita::assignment

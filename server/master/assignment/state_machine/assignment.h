// server/master/assignment/state_machine/assignment.h: decides which server has which region: the heart of the cluster,
// as a pure state machine.
//
// It has no threads, no sockets, no disk and no clock. Every method is an input that says what happened at `now_ms`;
// its Outputs say what follows: changes of hbase:meta, commands to servers, requests that ended. The same inputs give
// the same outputs, so simulation/ can run it through thousands of disasters. AssignmentManager runs it for real.
//
// HOW A REGION MOVES. Meta has its state (HBase's names) and its home, the server in whose folder its data is:
//
//   CLOSED, OFFLINE --> OPENING(target) --> OPEN(home) --> CLOSING --> CLOSED
//                            ^                                |
//                            +------------- a move -----------+
//
//   1. OPENING(target) in meta.   2. If the home is another server: it releases the region into a handoff, a folder
//   of hard links beside all servers'.   3. The target opens it, of the handoff or of its own folder, and serves
//   nobody.
//   4. OPEN in meta, with the target as its home.   5. The target removes the handoff, and serves.
//   And back: CLOSING in meta, the home closes it. So nothing is acknowledged that meta would not lead to.
//
// THE ONE RULE OF WHERE THE DATA IS. In the handoff, if there is one; else in the home's folder. A handoff appears at
// once and whole, and goes before a write can follow. A server follows this rule by itself when it is told to open.
//
// STEPS ARE REPEATED, NOT REMEMBERED. Step() looks at where a region is and where it shall be, and does the next thing;
// it does not ask how it came there. So a new master needs nothing but meta: it repeats the step at which the old one
// died. A command is repeated until it is answered or its server is dead, and doing it twice does nothing more.
// There is at most one command at a time for a region, so the servers' answers tell of it in order.
//
// WHO IS ALIVE. A server that was not heard for its lease and a margin is dead: it has stopped serving by its own
// clock. Then, and only after it was noted durably, another one takes its folder away, replays its log and makes
// handoffs of its regions. Noted, because the next master must not believe it either when it wakes up. If instead a new
// life of the same address registers before that, it gets the old folder: its regions are then homed there, in one
// write. For a new master the servers that meta names are expected: each registers, or its lease passes. A master that
// did not run for a while, on a machine that swaps, could hear nobody: it gives them all another lease. A server in the
// master's own process has no lease: it lives as long as the master.
//
// WHERE A REGION OPENS is the placement's choice, unless a request names a server. It waits until all expected servers
// are there or dead, so that the first to come does not get everything.
//
// Cost: an input costs its own regions only; commands are grouped by server, so 800 regions are a few messages.
// Threads: one at a time. Source of the rules: AssignmentManager, TransitRegionStateProcedure, ServerManager,
// ServerCrashProcedure, DeadServer (2.6), where remembered procedures do what is here repeated from meta.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/master/assignment/state_machine/messages.h"

namespace vaquita::assignment {

struct Settings {
  int64_t lease_ms = 3000;
  int64_t lease_margin_ms = 500;  // for clocks that differ in pace
  int64_t late_ms = 200;          // a lease's end that is noticed later than this: the master did not run meanwhile
  int64_t resend_ms = 1000;       // a command without an answer is repeated after this
  int64_t retry_ms = 100;         // after a refusal; doubled each time, up to max_retry_ms
  int64_t max_retry_ms = 60'000;
  int64_t max_open_attempts = INT32_MAX;  // FAILED_OPEN after these; hbase.assignment.maximum.attempts
  int64_t max_attempts_without_data = 5;  // for a region whose data are nowhere
  int64_t min_servers = 1;                // before any placement; hbase.master.wait.on.regionservers.mintostart
  size_t regions_per_command = 200;
};

// A region as clients of the master see it.
struct RegionView {
  std::shared_ptr<const RegionInfo> info;
  RegionState state = RegionState::kOffline;  // SPLITTING and MERGING are seen here only
  ServerName server;                          // where it is open, opening or closing; else empty
  ServerName home;
  bool serving = false;           // known to be served
  int64_t in_transition_ms = -1;  // since when it has not been where it shall be; -1: it is there
  int attempts = 0;               // how often a step of the transition was refused
};

struct ServerView {
  ServerName name;
  enum class State { kExpected, kLive, kDead } state = State::kLive;
  bool draining = false;    // it gets no regions; HBase: decommissioned
  bool recovering = false;  // dead, and its regions are not all handed over
  bool leased = true;       // false: it is in the master's process, and `heard_ms` says nothing
  int64_t heard_ms = 0;
  size_t homed = 0;  // regions in its folder
};

class Assignment {
 public:
  static std::unique_ptr<Assignment> Make(const Settings& settings, Placement placement);
  virtual ~Assignment() = default;

  // The first input.
  virtual Outputs Load(int64_t now_ms, const LoadedMeta& meta) = 0;

  // Servers. The decision may be sent when the outputs before `commands` are durable.
  virtual Outputs Register(int64_t now_ms, const Registration& registration, RegistrationDecision* decision) = 0;
  virtual Outputs Report(int64_t now_ms, const ServerState& state, Membership* membership) = 0;
  virtual Outputs TimePassed(int64_t now_ms) = 0;
  virtual Outputs Result(int64_t now_ms, const CommandResult& result) = 0;
  virtual Outputs SetDraining(int64_t now_ms, const ServerName& server, Draining draining) = 0;
  // The server stops. False, and nothing changes, while a region is homed there.
  virtual Outputs Leave(int64_t now_ms, const ServerName& server, bool* left) = 0;

  // Requests. `request` comes back in Outputs::finished when all its regions are where they shall be, or cannot get
  // there. A later Assign or Unassign of a region takes over; the earlier request then fails for it.
  virtual Outputs Assign(int64_t now_ms, int64_t request, const std::vector<Destination>& regions) = 0;
  virtual Outputs Unassign(int64_t now_ms, int64_t request, const std::vector<RegionName>& regions) = 0;
  // For regions that are served; elsewhere, even if no server is named. Others fail with kDoNotRetryRegion. If there is
  // no other server, a region for which one is named that does not live is closed and opened where it is, as in HBase.
  virtual Outputs Move(int64_t now_ms, int64_t request, const std::vector<Destination>& regions) = 0;
  // Likewise of served regions. All parents must be on one server.
  virtual Outputs Split(int64_t now_ms, int64_t request, const RegionName& region, const std::string& split_row) = 0;
  virtual Outputs Merge(int64_t now_ms, int64_t request, const std::vector<RegionName>& regions, bool forcible) = 0;

  // Regions that are being made on servers, each at its home, and are not in meta yet: should the home die meanwhile,
  // they are recovered with it.
  virtual Outputs Expect(int64_t now_ms, const std::vector<LoadedRegion>& regions) = 0;
  // Regions that meta has now, treated as if they had been loaded. Of those that were expected, the home counts that
  // they have by now. And regions that meta has no longer, or that did not come.
  virtual Outputs Add(int64_t now_ms, const std::vector<LoadedRegion>& regions) = 0;
  virtual Outputs Remove(int64_t now_ms, const std::vector<RegionName>& regions) = 0;

  // When TimePassed has something to do next; at most a lease ahead.
  virtual int64_t NextWakeMs(int64_t now_ms) const = 0;
  virtual std::optional<RegionView> Find(const RegionName& region) const = 0;
  virtual std::vector<RegionView> Regions() const = 0;  // in meta's order, then as they came
  virtual std::vector<RegionView> InTransition() const = 0;
  virtual std::vector<ServerView> Servers() const = 0;
  virtual bool IsReady(const ServerName& server) const = 0;   // true once it has reported its regions
  virtual bool IsLeased(const ServerName& server) const = 0;  // Registration::leased
  virtual bool started() const = 0;                           // no server is expected any more, and enough are there
};

}  // namespace vaquita::assignment

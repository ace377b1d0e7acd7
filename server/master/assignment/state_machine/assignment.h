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
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "server/master/assignment/state_machine/assignment_state.h"
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

class Assignment final {
 public:
  Assignment(const Settings& settings, Placement placement) : settings_(settings), placement_(std::move(placement)) {}

  // The first input.
  Outputs Load(int64_t now_ms, const LoadedMeta& meta);

  // Servers. The decision may be sent when the outputs before `commands` are durable.
  Outputs Register(int64_t now_ms, const Registration& registration, RegistrationDecision* decision);
  Outputs Report(int64_t now_ms, const ServerState& state, Membership* membership);
  Outputs TimePassed(int64_t now_ms);
  Outputs Result(int64_t now_ms, const CommandResult& result);
  Outputs SetDraining(int64_t now_ms, const std::string& server, Draining draining);
  // The server stops. False, and nothing changes, while a region is homed there.
  Outputs Leave(int64_t now_ms, const std::string& server, bool* left);

  // Requests. `request` comes back in Outputs::finished when all its regions are where they shall be, or cannot get
  // there. A later Assign or Unassign of a region takes over; the earlier request then fails for it.
  Outputs Assign(int64_t now_ms, int64_t request, const std::vector<Destination>& regions);
  Outputs Unassign(int64_t now_ms, int64_t request, const std::vector<RegionName>& regions);
  // For regions that are served; elsewhere, even if no server is named. Others fail with kDoNotRetryRegion. If there is
  // no other server, a region for which one is named that does not live is closed and opened where it is, as in HBase.
  Outputs Move(int64_t now_ms, int64_t request, const std::vector<Destination>& regions);
  // Likewise of served regions. All parents must be on one server.
  Outputs Split(int64_t now_ms, int64_t request, const RegionName& region, const std::string& split_row);
  Outputs Merge(int64_t now_ms, int64_t request, const std::vector<RegionName>& regions, bool forcible);

  // Regions that are being made on servers, each at its home, and are not in meta yet: should the home die meanwhile,
  // they are recovered with it.
  Outputs Expect(int64_t now_ms, const std::vector<LoadedRegion>& regions);
  // Regions that meta has now, treated as if they had been loaded. Of those that were expected, the home counts that
  // they have by now. And regions that meta has no longer, or that did not come.
  Outputs Add(int64_t now_ms, const std::vector<LoadedRegion>& regions);
  Outputs Remove(int64_t now_ms, const std::vector<RegionName>& regions);

  // When TimePassed has something to do next; at most a lease ahead.
  int64_t NextWakeMs(int64_t now_ms) const;
  std::optional<RegionView> Find(const RegionName& region) const;
  std::vector<RegionView> Regions() const;  // in meta's order, then as they came
  std::vector<RegionView> InTransition() const;
  std::vector<ServerView> Servers() const;
  bool IsReady(const std::string& server) const;   // true once it has reported its regions
  bool IsLeased(const std::string& server) const;  // Registration::leased
  bool started() const { return started_; }        // no server is expected any more, and enough are there

 private:
  // Regions that can go in one command.
  struct Group {
    CommandKind kind;
    std::string server;
    std::string other;
    auto operator<=>(const Group&) const = default;
  };
  // The home on which a region's step can count.
  enum class Home {
    kNone,        // it was never open
    kLive,        // a server that carries out commands
    kUnclear,     // it is expected, starting, or dead and not recovered: wait
    kHandedOver,  // all is in the handoff
  };

  // assignment_steps.cc: one region.
  void Step(Region& region);
  void StepOpen(Region& region, Home home);
  void StepClosing(Region& region, Home home);
  void StepOpening(Region& region, Home home);
  void StepClosed(Region& region, Home home);
  Home HomeOf(Region& region);
  bool MustLeave(const Region& region) const;
  void ChooseTarget(Region& region);
  void PlaceRegions();
  void SetState(Region& region, RegionState state);
  void SetHome(Region& region, Server* home);
  void SetOpening(Region& region, Server& target);
  void Send(Region& region, CommandKind kind, const Server& server, const std::string& other = "");
  void RegionResult(Region& region, const Command& command, const absl::Status& status);
  void OpenFailed(Region& region, const absl::Status& status);
  bool IsHopeless(const Region& region, const absl::Status& status) const;
  void Refuse(Region& region, const absl::Status& why);
  void GiveUp(Region& region, const absl::Status& status);
  void SetRetry(Region& region, int64_t at_ms);
  void RetryLater(Region& region);
  void Settled(Region& region);

  // assignment_servers.cc: who is alive, and whose regions are recovered.
  Server& GetServer(const std::string& name);
  static bool IsUsable(const Server& server);  // it carries out commands
  bool IsPlaceable(const Server& server) const;
  std::vector<std::string> Placeable() const;
  bool HasAnother(const Server& server) const;  // where regions may be placed
  bool CanLeave(const Server& server) const;    // all shall leave, and there is another one
  void BecomeReady(Server& server);
  void EndLeases();  // ends those of servers that were not heard
  void Die(Server& server);
  bool HasLaterLife(const Server& server) const;
  void LoseCommands(const Server& server);
  void EndAdoptions(const std::vector<std::string>& folders);
  void TakeOver(Server& earlier, Server& later);
  void Rehome(Server& earlier, Server& later);  // the data in the one's folder are in the other's
  void StartRecoveries();
  void StartRecovery(Server& dead, const std::string& recoverer);
  void RecoveryResult(const Command& command, const CommandResult& result);
  void EndRecovery(Server& dead);
  void CheckStarted();
  void WaitFor(Region& region, Server& server);
  static void StopWaiting(Region& region);
  void WakeWaiting(Server& server);
  void WakeDraining();
  bool HasLeftovers(const Server& server) const;                                          // it was told to drop some
  bool DropLeftovers(const Server& server, const std::vector<RegionName>& open_regions);  // false: no leftovers
  void DropResult(const Flight& flight, const CommandResult& result);
  static bool NeedsRecovery(const Server& server);
  void ForgetDead(Server& server);

  // assignment_transitions.cc: splits and merges.
  void BeginTransition(int64_t request, std::vector<Region*> parents, Command command);
  void ResumeTransition(Server& server, const PendingTransition& pending);
  void BeginResult(Transition& transition, const CommandResult& result);
  void Refused(Transition& transition, const absl::Status& status);
  void Commit(Transition& transition, const PendingTransition& begun);
  void SendEnd(Transition& transition);
  void EndTransition(Transition& transition, const absl::Status& status, Region::Known known);

  // assignment.cc: requests, and what all inputs have in common.
  Region* FindRegion(const RegionName& name) const;
  Region& NewRegion(std::shared_ptr<const RegionInfo> info);
  Region& AddRegion(const LoadedRegion& loaded);
  static bool IsToBeOpen(const LoadedRegion& loaded);
  void EraseRegion(Region& region);
  void Want(Region& region, bool open, int64_t request);
  void FinishPart(int64_t request, const absl::Status& status);  // one of its regions has ended
  void FinishRequests(Region& region, const absl::Status& status);
  static bool IsAtRest(const Region& region);
  absl::StatusOr<Region*> FindServed(const RegionName& name) const;
  void MarkDirty(Region& region) { dirty_.insert(&region); }
  Outputs End();  // ends an input: takes the steps that it made due
  void FormCommands();
  int64_t SendCommand(Command command, Transition* transition = nullptr);
  void SendAgainLater(const Flight& flight);  // sends the refused ones as a new command
  static RegionView View(const Region& region);
  int64_t BackoffMs(int attempts) const;

  const Settings settings_;
  const Placement placement_;
  int64_t now_ms_ = 0;  // the last input's
  bool started_ = false;
  int64_t next_number_ = 0;
  int64_t next_command_ = 1;

  std::map<std::string, std::unique_ptr<Server>> servers_;  // never erased: regions point to them
  std::unordered_map<RegionName, std::unique_ptr<Region>> regions_;
  RegionSet in_order_;
  std::map<std::string, Draining> draining_;  // also servers that are not here
  std::map<int64_t, std::unique_ptr<Transition>> transitions_;
  std::map<int64_t, Flight> flights_;  // by command id
  struct RequestState {
    size_t parts = 0;
    absl::Status status;
  };
  std::map<int64_t, RequestState> requests_;

  RegionSet dirty_;                                          // Step() is due
  RegionSet unplaced_;                                       // wait for the placement
  std::set<std::tuple<int64_t, int64_t, Region*>> retries_;  // by time and number
  std::set<std::string> unrecovered_;                        // dead, and nobody recovers them yet

  // These belong to the input that is being handled.
  RegionSet changed_;
  std::map<Group, std::vector<Region*>> to_send_;
  Outputs out_;
};

}  // namespace vaquita::assignment

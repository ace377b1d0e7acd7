// server/master/assignment/state_machine/assignment.h: decides which server has which region, as a pure state machine.
//
// It has no threads, sockets, disk or clock. Every method is an input that says what happened at `now_ms`. Its Outputs
// are the consequences: changes of hbase:meta, commands to servers, requests that ended. The same inputs give the same
// outputs, so simulation/ can run it through thousands of disasters. AssignmentManager runs it in the master.
//
// MOVES. Meta has its state (HBase's names) and its home, the server whose folder has its data:
//
//   CLOSED, OFFLINE --> OPENING(target) --> OPEN(home) --> CLOSING --> CLOSED
//                            ^                                |
//                            +------------- a move -----------+
//
//   1. Meta says OPENING(target).   2. If the home is another server, it releases the region into a handoff, a folder
//   of hard links beside the servers' folders.   3. The target opens it from the handoff or from its own folder, and
//   does not serve it yet.
//   4. Meta says OPEN, with the target as home.   5. The target removes the handoff, and serves the region.
//   To close it, meta says CLOSING, and the home closes it. So meta leads to every acknowledged write.
//
// WHERE THE DATA ARE. In the region's handoff, if it has one; else in its home's folder. A handoff appears whole in one
// step, and is removed before the next write. A server that gets the command to open a region follows this rule, too.
//
// STEPS ARE REPEATED, NOT REMEMBERED. Step() compares where a region is with its goal, and takes the next step; the
// region's history does not matter. So a new master needs only meta: it repeats the step at which the old one died. A
// command is repeated until it is answered or its server is dead; a second run of it changes nothing. A region has at
// most one command at a time, so the servers' answers about it come in order.
//
// LIVENESS. A server that was not heard for its lease and a margin is dead: by its own clock it has stopped
// serving. First this is noted durably, so that the next master does not believe the server either if it wakes up. Only
// then another server fences it, replays its log and makes handoffs of its regions. If a new life on the same address
// registers before that, it gets the old folder and becomes the home of its regions, in one write. A new master expects
// the servers that meta names, until each registers or its lease is over. A master that did not run for a while, for
// example on a machine that swaps, heard nobody: it gives all servers another lease. A server in the master's own
// process has no lease: it lives as long as the master.
//
// A dead server is forgotten when a later life of its address is known and nothing of it is left to be done. So the
// latest life of an address is always known, and a process that restarts in a loop leaves no trail. The start code is a
// time, and a clock can be set back: a new process whose start code is not later than a dead life's takes a later one.
//
// WHERE A REGION OPENS. A request names the server, or else the placement chooses it. The placement waits until each
// expected server is online or dead, so that the first one does not get all regions.
//
// Cost: an input costs time for its own regions only; commands are grouped by server, so 800 regions need a few
// messages. Threads: one at a time. Source of the rules: AssignmentManager, TransitRegionStateProcedure, ServerManager,
// ServerCrashProcedure, DeadServer (2.6). HBase remembers steps in procedures; here they are repeated from meta.
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
  int64_t lease_margin_ms = 500;  // for clocks of different rates
  int64_t late_ms = 200;          // if a lease's end is noticed later than this, the master did not run
  int64_t resend_ms = 1000;       // a command without an answer is repeated after this
  int64_t retry_ms = 100;         // after a refusal; doubled each time, up to max_retry_ms
  int64_t max_retry_ms = 60'000;
  int64_t max_open_attempts = INT32_MAX;  // FAILED_OPEN after these; hbase.assignment.maximum.attempts
  int64_t max_attempts_without_data = 5;  // for a region whose data are missing
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

  // Requests. `request` comes back in Outputs::finished when all its regions have reached their goals, or cannot reach
  // them. A later Assign or Unassign of a region replaces its goal, and the earlier request fails for that region.
  Outputs Assign(int64_t now_ms, int64_t request, const std::vector<Destination>& regions);
  // Unassign with `for_a_moment` leaves them OFFLINE, not CLOSED, and a new master opens them.
  Outputs Unassign(int64_t now_ms, int64_t request, const std::vector<RegionName>& regions, bool for_a_moment = false);
  // Moves served regions, also without a named server to another one. Regions that are not served fail with
  // kDoNotRetryRegion; those that will be, with Unanswered (server/control/command.h). As in HBase, if the named server
  // is not online and there is no other, the region is closed and opened on its server.
  Outputs Move(int64_t now_ms, int64_t request, const std::vector<Destination>& regions);
  // Also for served regions. All parents must be on one server.
  Outputs Split(int64_t now_ms, int64_t request, const RegionName& region, const std::string& split_row);
  Outputs Merge(int64_t now_ms, int64_t request, const std::vector<RegionName>& regions, bool forcible);

  // Announces regions that are being made at their homes and are not in meta yet. If a home dies meanwhile, they are
  // recovered with it.
  Outputs Expect(int64_t now_ms, const std::vector<LoadedRegion>& regions);
  // Add takes regions that meta has now, as Load would; announced ones keep their present home. Remove takes regions
  // that meta no longer has, and announced ones that were not made.
  Outputs Add(int64_t now_ms, const std::vector<LoadedRegion>& regions);
  Outputs Remove(int64_t now_ms, const std::vector<RegionName>& regions);

  // Returns the time of the next TimePassed that has work; at most a lease from now.
  int64_t NextWakeMs(int64_t now_ms) const;
  std::optional<RegionView> Find(const RegionName& region) const;
  std::vector<RegionView> Regions() const;                          // in meta's order, then in the order of their Add
  std::vector<RegionView> RegionsOf(const TableName& table) const;  // in that order
  std::vector<RegionView> InTransition() const;
  std::vector<ServerView> Servers() const;
  bool IsReady(const std::string& server) const;     // true once it has reported its regions
  bool IsLeased(const std::string& server) const;    // Registration::leased
  bool IsStarting(const std::string& server) const;  // it has registered, and did not report its regions yet
  // Returns the unanswered commands that open these regions.
  std::set<int64_t> UnansweredOpenings(const std::vector<RegionName>& regions) const;
  bool IsUnanswered(int64_t command) const { return flights_.contains(command); }
  bool started() const { return started_; }  // no server is expected any more, and enough are online

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
  void SetClosed(Region& region);
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
  std::vector<Server*> LivesAt(const std::string& address) const;
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
  void ForgetEarlierLives();
  void ForgetIfGone(const Server& server);

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

  std::map<std::string, std::shared_ptr<Server>> servers_;  // the lives of one address are neighbours
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

// server/master/assignment/state_machine/assignment_impl.h: the assignment's knowledge, and the parts of its reasoning.
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

#include "server/master/assignment/state_machine/assignment.h"

namespace vaquita::assignment {

struct Region;

// In meta's order, so that neither addresses nor hashes decide anything.
struct ByNumber {
  bool operator()(const Region* a, const Region* b) const;
};
using RegionSet = std::set<Region*, ByNumber>;

struct Server {
  ServerName name;
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
  ServerName wanted;        // the server that a request named
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

class AssignmentImpl final : public Assignment {
 public:
  AssignmentImpl(const Settings& settings, Placement placement)
      : settings_(settings), placement_(std::move(placement)) {}

  Outputs Load(int64_t now_ms, const LoadedMeta& meta) override;
  Outputs Register(int64_t now_ms, const Registration& registration, RegistrationDecision* decision) override;
  Outputs Report(int64_t now_ms, const ServerState& state, Membership* membership) override;
  Outputs TimePassed(int64_t now_ms) override;
  Outputs Result(int64_t now_ms, const CommandResult& result) override;
  Outputs SetDraining(int64_t now_ms, const ServerName& server, Draining draining) override;
  Outputs Leave(int64_t now_ms, const ServerName& server, bool* left) override;
  Outputs Assign(int64_t now_ms, int64_t request, const std::vector<Destination>& regions) override;
  Outputs Unassign(int64_t now_ms, int64_t request, const std::vector<RegionName>& regions) override;
  Outputs Move(int64_t now_ms, int64_t request, const std::vector<Destination>& regions) override;
  Outputs Split(int64_t now_ms, int64_t request, const RegionName& region, const std::string& split_row) override;
  Outputs Merge(int64_t now_ms, int64_t request, const std::vector<RegionName>& regions, bool forcible) override;
  Outputs Expect(int64_t now_ms, const std::vector<LoadedRegion>& regions) override;
  Outputs Add(int64_t now_ms, const std::vector<LoadedRegion>& regions) override;
  Outputs Remove(int64_t now_ms, const std::vector<RegionName>& regions) override;
  int64_t NextWakeMs(int64_t now_ms) const override;
  std::optional<RegionView> Find(const RegionName& region) const override;
  std::vector<RegionView> Regions() const override;
  std::vector<RegionView> InTransition() const override;
  std::vector<ServerView> Servers() const override;
  bool IsReady(const ServerName& server) const override;
  bool IsLeased(const ServerName& server) const override;
  bool started() const override { return started_; }

 private:
  // Regions that can go in one command.
  struct Group {
    CommandKind kind;
    ServerName server;
    ServerName other;
    auto operator<=>(const Group&) const = default;
  };
  // The home on which a region's step can count.
  enum class Home {
    kNone,        // it was never open
    kLive,        // a server that does as it is told
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
  void Send(Region& region, CommandKind kind, const Server& server, const ServerName& other = "");
  void RegionResult(Region& region, const Command& command, const absl::Status& status);
  void OpenFailed(Region& region, const absl::Status& status);
  bool IsHopeless(const Region& region, const absl::Status& status) const;
  void Refuse(Region& region, const absl::Status& why);
  void GiveUp(Region& region, const absl::Status& status);
  void SetRetry(Region& region, int64_t at_ms);
  void RetryLater(Region& region);
  void Settled(Region& region);

  // assignment_servers.cc: who is alive, and whose regions are recovered.
  Server& GetServer(const ServerName& name);
  static bool IsUsable(const Server& server);  // it does as it is told
  bool IsPlaceable(const Server& server) const;
  std::vector<ServerName> Placeable() const;
  bool HasAnother(const Server& server) const;  // where regions may be placed
  bool CanLeave(const Server& server) const;    // all shall leave, and there is another one
  void BecomeReady(Server& server);
  void EndLeases();  // ends those of servers that were not heard
  void Die(Server& server);
  bool HasLaterLife(const Server& server) const;
  void LoseCommands(const Server& server);
  void EndAdoptions(const std::vector<ServerName>& folders);
  void TakeOver(Server& earlier, Server& later);
  void Rehome(Server& earlier, Server& later);  // the data in the one's folder are in the other's
  void StartRecoveries();
  void StartRecovery(Server& dead, const ServerName& recoverer);
  void RecoveryResult(const Command& command, const CommandResult& result);
  void EndRecovery(Server& dead);
  void CheckStarted();
  void WaitFor(Region& region, Server& server);
  static void StopWaiting(Region& region);
  void WakeWaiting(Server& server);
  void WakeDraining();
  bool HasLeftovers(const Server& server) const;                                          // it was told to drop some
  bool DropLeftovers(const Server& server, const std::vector<RegionName>& open_regions);  // false: there are none
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

  std::map<ServerName, std::unique_ptr<Server>> servers_;  // never erased: regions point to them
  std::unordered_map<RegionName, std::unique_ptr<Region>> regions_;
  RegionSet in_order_;
  std::map<ServerName, Draining> draining_;  // also servers that are not here
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
  std::set<ServerName> unrecovered_;                         // dead, and nobody recovers them yet

  // These belong to the input that is being handled.
  RegionSet changed_;
  std::map<Group, std::vector<Region*>> to_send_;
  Outputs out_;
};

}  // namespace vaquita::assignment

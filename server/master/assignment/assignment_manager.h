// server/master/assignment/assignment_manager.h: runs the assignment of regions
// (server/master/assignment/state_machine/assignment.h) for a master.
//
// Region servers reach it as a MasterControl, procedures by its methods, which keep hbase:meta and the catalog in step
// with what the servers do. Every input goes through the state machine under one lock, what follows is written to the
// journal under the same lock, and then the commands go out, by a pool of threads that wait for the servers' answers.
// Each step of a region is a line in the log (assignment_log.h).
//
// Threads: any; what waits says so. One more thread watches the leases. Errors: of what waits, kMasterNotRunning after
// Stop. Source: AssignmentManager, TransitRegionStateProcedure, RSProcedureDispatcher, ServerManager (2.6).
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/task_pool.h"
#include "server/control/master_control.h"
#include "server/control/region_server_control.h"
#include "server/master/assignment/assignment_commands.h"
#include "server/master/assignment/assignment_counters.h"
#include "server/master/assignment/assignment_journal.h"
#include "server/master/assignment/assignment_log.h"
#include "server/master/assignment/state_machine/assignment.h"
#include "server/master/meta/assigned_region.h"

namespace vaquita {

class OnlineServers;

// A region server as the master reaches it.
struct ServerConnection {
  std::shared_ptr<RegionServerControl> control;
  std::function<void()> abandon;    // running commands fail as Unanswered: nobody waits for a dead server. May be null
  int64_t permissions_version = 0;  // the manager's: of the users' rights that the server has at least
};

struct AssignmentManagerOptions {
  assignment::Settings settings;
  assignment::Placement placement;
  int64_t master_epoch = 0;
  const Clock* clock = nullptr;          // null: nobody compares clocks
  int64_t max_clock_skew_ms = 0;         // more of a server that starts is refused
  AssignmentJournal* journal = nullptr;  // outlives the manager
  OnlineServers* servers = nullptr;      // likewise; the manager keeps it
  std::function<ServerConnection(const ServerRegistration&)> connect;
  DescriptorOf descriptor;
  std::function<void(const RegionInfo&)> request_split;
  // Returns the users' rights, for servers that register or report; null: users have none.
  std::function<std::shared_ptr<const Permissions>()> permissions;
  // The journal failed, and the master must end. It is called under the manager's lock.
  std::function<void(const absl::Status&)> on_fatal;
};

class AssignmentManager final : public MasterControl {
 public:
  explicit AssignmentManager(AssignmentManagerOptions options);
  ~AssignmentManager() override;  // Stops.

  // Loads hbase:meta, and begins to listen to the servers. Regions open when their servers are online.
  absl::Status Start();
  void Stop();

  // Announces regions of `table`, which the catalog may not have yet, that are about to be made at their homes. If a
  // home dies before meta has them, nothing of them is lost. ServeNew or Forget follows.
  void Expect(const std::vector<AssignedRegion>& regions, const std::shared_ptr<const TableDescriptor>& table);
  // Takes regions that meta has from now on, and waits until those that are OPEN are served. CLOSED ones stay closed.
  absl::Status ServeNew(const std::vector<AssignedRegion>& regions);
  // Forgets regions that were not made.
  void Forget(const std::vector<AssignedRegion>& regions);
  // Forgets regions that `remove` removes from meta. It runs under the manager's lock, so that no change of a region
  // comes after its removal. Returns its error, and then forgets nothing.
  absl::Status Forget(const std::vector<AssignedRegion>& regions, absl::FunctionRef<absl::Status()> remove);

  // These take regions that meta has. They wait for the end, and return how it went; work that is already done is not
  // repeated. Two callers must not work on one table at a time. Open opens closed regions on their last servers, or
  // else on any.
  absl::Status Open(const std::vector<AssignedRegion>& regions);
  absl::Status Close(const std::vector<AssignedRegion>& regions);
  // Closes regions that the caller opens again; if this master does not live to, the next one does. A draining server
  // keeps them meanwhile.
  absl::Status CloseForAMoment(const std::vector<AssignedRegion>& regions);
  // As Assignment::Move. `server_name` empty: any other server.
  absl::Status Move(const AssignedRegion& region, std::string_view server_name);
  // `split_row` empty: the region's own split point.
  absl::Status Split(const AssignedRegion& parent, std::string_view split_row);
  absl::Status Merge(const std::vector<AssignedRegion>& parents, bool forcible);
  // Moves any number of regions at once. Returns the first error.
  absl::Status MoveAll(const std::vector<assignment::Destination>& moves);

  // MasterControl.
  absl::StatusOr<RegistrationAnswer> Register(const ServerRegistration& server) override;
  absl::StatusOr<ReportAnswer> Report(const ServerReport& report) override;
  absl::Status RequestSplit(std::string_view server_name, const RegionInfo& region) override;
  absl::Status Drain(std::string_view server_name) override;
  absl::Status Leave(std::string_view server_name) override;

  // HBase: decommission and recommission. The next master keeps it; the regions move after the call returns.
  absl::Status SetDraining(std::string_view server_name, assignment::Draining draining);
  // Returns the registered servers that may have older users' rights than these: no report has shown them, and nobody
  // has noted that the server was told. Servers that register later get those of AssignmentManagerOptions::permissions.
  std::vector<std::string> ServersWithOlderRights(int64_t version) const;
  void NoteToldOfRights(const std::string& server, int64_t version);
  // Returns the names of servers for new regions: no draining one, if there is another.
  std::vector<std::string> ServersForNewRegions() const;
  // Waits until each region of a dead server has a handoff or is open elsewhere. Of one that starts: until it is ready,
  // or dead.
  absl::Status AwaitRecovery(std::string_view server_name);
  // Waits until none of these regions opens with a table descriptor that a server got before this call: until openings
  // that were sent before are answered, and homes that start are ready. Returns the regions with their homes then.
  absl::StatusOr<std::vector<AssignedRegion>> AwaitOlderOpenings(std::vector<AssignedRegion> regions);
  // Waits until each region of a server that reported, and each region without a server, is served or was refused once.
  void AwaitFirstSteps(std::string_view server_name);

  std::optional<assignment::RegionView> Find(std::string_view region) const;
  std::vector<AssignedRegion> RegionsOf(const TableName& table) const;
  std::vector<assignment::RegionView> RegionsInTransition() const;
  std::vector<assignment::ServerView> Servers() const;
  bool started() const;  // regions are being placed
  AssignmentCounters counters() const;
  // Returns the time by the clock of RegionView::in_transition_ms and ServerView::heard_ms, which never jumps.
  static int64_t NowMs();

 private:
  struct Job {
    assignment::Command command;
    std::shared_ptr<RegionServerControl> control;
  };

  // Under mutex_:
  void Apply(const assignment::Outputs& outputs, std::string_view reason);
  void Count(const assignment::Outputs& outputs);
  void Queue(const assignment::Command& command);
  void DropDeadServers(std::string_view reason);
  void NoteRights(const std::string& server, int64_t version);
  void ForgetLocked(const std::vector<AssignedRegion>& regions);
  absl::Status RunRequest(std::unique_lock<std::mutex>& lock,
                          const std::function<assignment::Outputs(int64_t request)>& start,
                          std::string_view reason);  // waits

  void Watch();                  // the leases' thread
  void SendCommands();           // until none is left whose server has room for one
  std::optional<Job> NextJob();  // under mutex_
  void Finish(const assignment::Command& command, const assignment::CommandResult& result, int64_t took_ms);
  absl::Status CheckClock(const ServerRegistration& registration) const;
  absl::StatusOr<RegistrationAnswer> Answer(const assignment::RegistrationDecision& decision,
                                            const std::string& server) const;
  void RemoveOldFolders(const std::string& server);  // those of its earlier lives, later; under mutex_

  const AssignmentManagerOptions options_;
  assignment::Assignment machine_;

  mutable std::mutex mutex_;
  std::condition_variable wake_;  // the leases' thread has something to do earlier
  std::condition_variable done_;  // something has changed that a request may wait for
  bool running_ = false;
  int64_t next_request_ = 1;
  std::map<int64_t, std::optional<absl::Status>> requests_;  // that somebody waits for
  std::map<std::string, ServerConnection> connections_;
  std::deque<Job> jobs_;
  std::map<std::string, int> busy_;  // jobs that run, by server
  std::set<int64_t> known_jobs_;     // queued or running; a repeated job is ignored
  int64_t wake_ms_ = 0;
  AssignmentCounters counters_;
  AssignmentLog log_;
  std::thread watch_;
  TaskPool senders_;
  TaskPool removers_{1};  // they remove folders, which may take long
};

}  // namespace vaquita

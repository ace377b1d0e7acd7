#include "server/master/assignment/assignment_manager.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/log.h"
#include "base/status.h"
#include "base/steady_ms.h"
#include "model/encoded_names.h"
#include "server/control/later_life.h"
#include "server/master/assignment/online_servers.h"
#include "server/master/meta/namespaces.h"

namespace vaquita {
namespace {

using assignment::Command;
using assignment::CommandKind;
using assignment::CommandName;
using assignment::CommandResult;
using assignment::Destination;
using assignment::LoadedRegion;
using assignment::Outputs;
using assignment::RegionChange;
using assignment::RegionView;
using assignment::ServerView;

// Threads are made only as they are needed. Servers that hang keep kCommandsPerServer each, until their patience ends.
constexpr int kCommandThreads = 100;
constexpr int kCommandsPerServer = 3;

absl::Status Stopping() { return Error(ErrorKind::kMasterNotRunning, "the master is stopping"); }

std::vector<LoadedRegion> Loaded(const std::vector<AssignedRegion>& regions) {
  std::vector<LoadedRegion> loaded;
  loaded.reserve(regions.size());
  for (const AssignedRegion& region : regions) {
    loaded.push_back({.info = region.info, .state = region.state, .home = region.home});
  }
  return loaded;
}

}  // namespace

AssignmentManager::AssignmentManager(AssignmentManagerOptions options)
    : options_(std::move(options)), machine_(options_.settings, options_.placement), senders_(kCommandThreads) {}

AssignmentManager::~AssignmentManager() { Stop(); }

int64_t AssignmentManager::NowMs() { return SteadyMs(); }

absl::Status AssignmentManager::Start() {
  VAQUITA_ASSIGN_OR_RETURN(const assignment::LoadedMeta meta, options_.journal->Load());
  std::lock_guard lock(mutex_);
  running_ = true;
  watch_ = std::thread([this] { Watch(); });
  Apply(machine_.Load(NowMs(), meta), "start");
  return absl::OkStatus();
}

void AssignmentManager::Stop() {
  {
    std::lock_guard lock(mutex_);
    running_ = false;
    for (const auto& [name, connection] : connections_) {
      if (connection.abandon) connection.abandon();
    }
    wake_.notify_all();
    done_.notify_all();
  }
  if (watch_.joinable()) watch_.join();
  senders_.Stop();
  removers_.Stop();
}

// ---- what follows from an input ----

void AssignmentManager::Apply(const Outputs& outputs, std::string_view reason) {
  if (!running_) return;
  if (const absl::Status status = options_.journal->Write(outputs); !status.ok()) {
    running_ = false;  // it is not known how much is written: nothing may follow from it
    done_.notify_all();
    options_.on_fatal(status);
    return;
  }
  if (spdlog::should_log(spdlog::level::info)) {
    for (const std::string& line : log_.Lines(outputs, reason, NowMs())) spdlog::info("{}", line);
  }
  for (const std::string& server : outputs.heard_late) {
    spdlog::warn("assignment: server={} state=spared to=- reason=late", server);
  }
  Count(outputs);
  for (const Command& command : outputs.commands) Queue(command);
  for (const auto& [request, status] : outputs.finished) {
    if (const auto waiting = requests_.find(request); waiting != requests_.end()) waiting->second = status;
  }
  done_.notify_all();
  const int64_t wake_ms = machine_.NextWakeMs(NowMs());
  if (wake_ms < std::exchange(wake_ms_, wake_ms)) wake_.notify_one();
}

void AssignmentManager::Count(const Outputs& outputs) {
  for (const auto& change : outputs.transitions) ++(change.split ? counters_.splits : counters_.merges);
  for (const RegionChange& change : outputs.changes) {
    counters_.opened += change.state == RegionState::kOpen;
    counters_.closed += change.state == RegionState::kClosed;
  }
  counters_.adoptions += static_cast<int64_t>(outputs.adoptions.size());
}

void AssignmentManager::Queue(const Command& command) {
  const auto connection = connections_.find(command.server);
  if (connection == connections_.end() || !known_jobs_.insert(command.id).second) return;
  jobs_.push_back({command, connection->second.control});
  senders_.Post([this] { SendCommands(); });
}

void AssignmentManager::DropDeadServers(std::string_view reason) {
  std::set<std::string> live;
  for (const ServerView& server : machine_.Servers()) {
    if (server.state == ServerView::State::kLive) live.insert(server.name);
  }
  std::erase_if(connections_, [&](const auto& entry) {
    const std::string& name = entry.first;
    const auto& connection = entry.second;
    if (live.contains(name)) return false;
    spdlog::log(reason == "leave" ? spdlog::level::info : spdlog::level::warn,
                "assignment: server={} state=gone to=- reason={}", name, reason);
    if (connection.abandon) connection.abandon();
    options_.servers->Remove(name);
    std::erase_if(jobs_, [&](const Job& job) {
      if (job.command.server == name) known_jobs_.erase(job.command.id);
      return job.command.server == name;
    });
    return true;
  });
}

// ---- threads ----

void AssignmentManager::Watch() {
  std::unique_lock lock(mutex_);
  while (running_) {
    const int64_t now_ms = NowMs();
    if (now_ms >= wake_ms_) {
      const Outputs outputs = machine_.TimePassed(now_ms);
      DropDeadServers("expired");
      Apply(outputs, "expired");
      wake_ms_ = std::max(machine_.NextWakeMs(now_ms), now_ms + 1);
    }
    wake_.wait_for(lock, std::chrono::milliseconds(std::max<int64_t>(wake_ms_ - NowMs(), 0)));
  }
}

std::optional<AssignmentManager::Job> AssignmentManager::NextJob() {
  const auto job = std::find_if(jobs_.begin(), jobs_.end(), [&](const Job& candidate) {
    return busy_[candidate.command.server] < kCommandsPerServer;
  });
  if (job == jobs_.end()) return std::nullopt;
  Job next = std::move(*job);
  jobs_.erase(job);
  ++busy_[next.command.server];
  return next;
}

void AssignmentManager::SendCommands() {
  std::unique_lock lock(mutex_);
  while (running_) {
    const std::optional<Job> job = NextJob();
    if (!job.has_value()) return;
    lock.unlock();
    const int64_t begun_ms = NowMs();
    const CommandResult result = RunCommand(job->command, *job->control, options_.descriptor);
    lock.lock();
    known_jobs_.erase(job->command.id);
    if (--busy_[job->command.server] == 0) busy_.erase(job->command.server);
    if (running_) Finish(job->command, result, NowMs() - begun_ms);
  }
}

void AssignmentManager::Finish(const Command& command, const CommandResult& result, int64_t took_ms) {
  const absl::Status first = result.status.ok() ? FirstError(result.regions) : result.status;
  const std::string first_region = command.regions.empty() ? command.other : command.regions.front().region;
  spdlog::debug("assignment: command={} server={} regions={} first={} ms={}", CommandName(command.kind), command.server,
                command.regions.size(), first_region, took_ms);
  if (!first.ok() && !IsError(first, ErrorKind::kNotServingRegion)) {
    ++counters_.failed_steps;
    spdlog::warn("assignment: command={} server={} regions={} first={} ms={} error={}", CommandName(command.kind),
                 command.server, command.regions.size(), first_region, took_ms, first.ToString());
  }
  if (first.ok() && command.kind == CommandKind::kRecover) {
    ++counters_.recoveries;
    counters_.recovery_ms += took_ms;
    spdlog::info("assignment: server={} state=recovered to={} reason=recover regions={} ms={}", command.other,
                 command.server, command.regions.size(), took_ms);
  }
  Apply(machine_.Result(NowMs(), result), CommandName(command.kind));
}

// ---- requests ----

absl::Status AssignmentManager::RunRequest(std::unique_lock<std::mutex>& lock,
                                           const std::function<Outputs(int64_t request)>& start,
                                           std::string_view reason) {
  if (!running_) return Stopping();
  const int64_t request = next_request_++;
  requests_[request];
  Apply(start(request), reason);
  done_.wait(lock, [&] { return !running_ || requests_.at(request).has_value(); });
  const absl::Status status = requests_.at(request).value_or(Stopping());
  requests_.erase(request);
  return status;
}

void AssignmentManager::Expect(const std::vector<AssignedRegion>& regions,
                               const std::shared_ptr<const TableDescriptor>& table) {
  std::vector<LoadedRegion> loaded = Loaded(regions);
  for (LoadedRegion& region : loaded) region.table = table;
  std::lock_guard lock(mutex_);
  if (running_) Apply(machine_.Expect(NowMs(), loaded), "create");
}

absl::Status AssignmentManager::ServeNew(const std::vector<AssignedRegion>& regions) {
  std::vector<Destination> open;
  for (const AssignedRegion& region : regions) {
    if (region.state != RegionState::kClosed) open.push_back({region.info.EncodedName(), ""});
  }
  std::unique_lock lock(mutex_);
  if (!running_) return Stopping();
  Apply(machine_.Add(NowMs(), Loaded(regions)), "create");
  return RunRequest(
      lock, [&](int64_t request) { return machine_.Assign(NowMs(), request, open); }, "create");
}

void AssignmentManager::Forget(const std::vector<AssignedRegion>& regions) {
  std::lock_guard lock(mutex_);
  ForgetLocked(regions);
}

absl::Status AssignmentManager::Forget(const std::vector<AssignedRegion>& regions,
                                       absl::FunctionRef<absl::Status()> remove) {
  std::lock_guard lock(mutex_);
  if (!running_) return Stopping();
  VAQUITA_RETURN_IF_ERROR(remove());
  ForgetLocked(regions);
  return absl::OkStatus();
}

void AssignmentManager::ForgetLocked(const std::vector<AssignedRegion>& regions) {
  const std::vector<assignment::RegionName> names = EncodedNames(regions);
  if (running_) Apply(machine_.Remove(NowMs(), names), "remove");
  log_.Forget(names);
}

absl::Status AssignmentManager::Open(const std::vector<AssignedRegion>& regions) {
  std::vector<Destination> homes;
  for (const AssignedRegion& region : regions) homes.push_back({region.info.EncodedName(), region.home});
  std::unique_lock lock(mutex_);
  return RunRequest(
      lock, [&](int64_t request) { return machine_.Assign(NowMs(), request, homes); }, "assign");
}

absl::Status AssignmentManager::Close(const std::vector<AssignedRegion>& regions) {
  std::unique_lock lock(mutex_);
  const auto start = [&](int64_t request) { return machine_.Unassign(NowMs(), request, EncodedNames(regions)); };
  return RunRequest(lock, start, "unassign");
}

absl::Status AssignmentManager::CloseForAMoment(const std::vector<AssignedRegion>& regions) {
  std::unique_lock lock(mutex_);
  const auto start = [&](int64_t request) {
    return machine_.Unassign(NowMs(), request, EncodedNames(regions), /*for_a_moment=*/true);
  };
  return RunRequest(lock, start, "unassign");
}

absl::Status AssignmentManager::Move(const AssignedRegion& region, std::string_view server_name) {
  return MoveAll({{region.info.EncodedName(), std::string(server_name)}});
}

absl::Status AssignmentManager::MoveAll(const std::vector<Destination>& moves) {
  std::unique_lock lock(mutex_);
  const auto start = [&](int64_t request) { return machine_.Move(NowMs(), request, moves); };
  VAQUITA_RETURN_IF_ERROR(RunRequest(lock, start, "move"));
  counters_.moves += static_cast<int64_t>(moves.size());
  return absl::OkStatus();
}

absl::Status AssignmentManager::Split(const AssignedRegion& parent, std::string_view split_row) {
  std::unique_lock lock(mutex_);
  const auto start = [&](int64_t request) {
    return machine_.Split(NowMs(), request, parent.info.EncodedName(), std::string(split_row));
  };
  return RunRequest(lock, start, "split");
}

absl::Status AssignmentManager::Merge(const std::vector<AssignedRegion>& parents, bool forcible) {
  const std::vector<assignment::RegionName> names = EncodedNames(parents);
  const auto first = Find(names.front());
  if (!first.has_value()) return Error(ErrorKind::kUnknownRegion, names.front());
  // As HBase does, which merges where the first of them is.
  std::vector<Destination> moves;
  for (const auto& name : names) {
    const auto region = Find(name);
    if (!region.has_value() || region->home != first->home) moves.push_back({name, first->home});
  }
  if (!moves.empty()) VAQUITA_RETURN_IF_ERROR(MoveAll(moves));
  std::unique_lock lock(mutex_);
  return RunRequest(
      lock, [&](int64_t request) { return machine_.Merge(NowMs(), request, names, forcible); }, "merge");
}

// ---- servers ----

// Timestamps of a region would go back when it moves from a server whose clock is ahead: older values would hide newer
// ones. A server that serves already goes on, as in HBase. Source: ServerManager.checkClockSkew (2.6).
absl::Status AssignmentManager::CheckClock(const ServerRegistration& registration) const {
  if (options_.clock == nullptr || registration.now_ms <= 0) return absl::OkStatus();
  const int64_t skew_ms = std::abs(options_.clock->NowMs() - registration.now_ms);
  if (skew_ms <= options_.max_clock_skew_ms) return absl::OkStatus();
  const std::string message =
      absl::StrCat("Server ", registration.server_name,
                   " has been rejected; Reported time is too far out of sync with master.  ", "Time difference of ",
                   skew_ms, "ms > max allowed of ", options_.max_clock_skew_ms, "ms (hbase.master.maxclockskew)");
  spdlog::warn("{}{}", message, registration.new_life ? "" : "; it goes on, because it serves already");
  return registration.new_life ? absl::FailedPreconditionError(message) : absl::OkStatus();
}

absl::StatusOr<RegistrationAnswer> AssignmentManager::Register(const ServerRegistration& registration) {
  VAQUITA_RETURN_IF_ERROR(CheckClock(registration));
  std::lock_guard lock(mutex_);
  if (!running_) return absl::UnavailableError("the master is starting or stopping");
  const std::string& name = registration.server_name;
  assignment::RegistrationDecision decision;
  const Outputs outputs = machine_.Register(
      NowMs(), {.server = name, .new_life = registration.new_life, .leased = registration.leased}, &decision);
  DropDeadServers("register");
  if (decision.membership == Membership::kDead) {
    Apply(outputs, "register");
    if (!decision.later_life.empty()) return HadLaterLife(decision.later_life);
    return absl::FailedPreconditionError(name + " was declared dead, or a later server at its address has registered");
  }
  if (!connections_.contains(name)) connections_[name] = options_.connect(registration);
  Apply(outputs, "register");
  if (!running_) return absl::UnavailableError("the master is ending");
  if (registration.new_life) RemoveOldFolders(name);
  spdlog::info("assignment: server={} state=registered to=- reason={} regions={}", name,
               decision.adopt          ? "adopts"
               : registration.new_life ? "new"
                                       : "again",
               decision.regions.size());
  return Answer(decision, name);
}

absl::StatusOr<RegistrationAnswer> AssignmentManager::Answer(const assignment::RegistrationDecision& decision,
                                                             const std::string& server) const {
  RegistrationAnswer answer{.master_epoch = options_.master_epoch, .lease_ms = options_.settings.lease_ms};
  if (options_.permissions) answer.permissions = options_.permissions();
  if (decision.adopt) answer.adopt = server;  // the folder has its name already
  for (const auto& [info, open, own_table] : decision.regions) {
    std::shared_ptr<const TableDescriptor> table = own_table;
    if (table == nullptr) {
      VAQUITA_ASSIGN_OR_RETURN(table, options_.descriptor(info->table));
    }
    answer.regions.push_back({.info = *info, .table = std::move(table), .open = open});
  }
  return answer;
}

void AssignmentManager::RemoveOldFolders(const std::string& server) {
  std::set<std::string> homes;
  for (const ServerView& other : machine_.Servers()) {
    if (other.homed > 0) homes.insert(other.name);
  }
  removers_.Post([this, server, homes = std::move(homes)] { options_.journal->RemoveOldFolders(server, homes); });
}

absl::StatusOr<ReportAnswer> AssignmentManager::Report(const ServerReport& report) {
  std::lock_guard lock(mutex_);
  if (!running_) return absl::UnavailableError("the master is starting or stopping");
  const std::string& name = report.metrics.server_name;
  assignment::ServerState state{.server = name, .ready = report.ready};
  if (state.ready && !machine_.IsReady(name)) {
    state.transitions = report.transitions;
    for (const RegionMetrics& region : report.metrics.regions) {
      // Nobody assigns the master's own regions, which a server in its process serves.
      if (!IsMastersOwn(region.info.table)) state.open_regions.push_back(region.info.EncodedName());
    }
    for (const RegionInfo& info : report.not_served) state.open_regions.push_back(info.EncodedName());
  }
  ReportAnswer answer{.master_epoch = options_.master_epoch};
  Apply(machine_.Report(NowMs(), state, &answer.membership), "report");
  if (answer.membership == Membership::kMember && options_.permissions) {
    NoteRights(name, report.permissions_version);
    if (auto rights = options_.permissions(); rights->version() > report.permissions_version) {
      answer.permissions = std::move(rights);
    }
  }
  if (answer.membership == Membership::kMember && machine_.IsReady(name)) {
    // Others place regions on the servers in this list, so it gets only those that carry out commands.
    options_.servers->Put({.name = name,
                           .grpc_address = report.metrics.grpc_address,
                           .control = connections_.at(name).control,
                           .in_process = !machine_.IsLeased(name)});
    options_.servers->SetMetrics(report.metrics);
  }
  return answer;
}

absl::Status AssignmentManager::RequestSplit(std::string_view, const RegionInfo& region) {
  options_.request_split(region);
  return absl::OkStatus();
}

absl::Status AssignmentManager::Drain(std::string_view server_name) {
  std::lock_guard lock(mutex_);
  if (!running_) return absl::UnavailableError("the master is starting or stopping");
  Apply(machine_.SetDraining(NowMs(), std::string(server_name), assignment::Draining::kAllLeave), "stop");
  return absl::OkStatus();
}

absl::Status AssignmentManager::SetDraining(std::string_view server_name, assignment::Draining draining) {
  const std::string name(server_name);
  std::lock_guard lock(mutex_);
  if (!running_) return Stopping();
  VAQUITA_RETURN_IF_ERROR(options_.journal->SetDraining(name, draining));
  const char* const step = draining == assignment::Draining::kNo             ? "recommissioned"
                           : draining == assignment::Draining::kNoNewRegions ? "closed-to-new-regions"
                                                                             : "draining";
  spdlog::info("assignment: server={} state={} to=- reason=decommission", name, step);
  Apply(machine_.SetDraining(NowMs(), name, draining), "decommission");
  return absl::OkStatus();
}

absl::Status AssignmentManager::AwaitRecovery(std::string_view server_name) {
  const auto is_done = [&] {
    const std::vector<assignment::ServerView> servers = machine_.Servers();
    return std::none_of(servers.begin(), servers.end(), [&](const assignment::ServerView& server) {
      const bool starts = server.state != ServerView::State::kDead && !machine_.IsReady(server.name);
      return server.name == server_name && (server.recovering || starts);
    });
  };
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] { return !running_ || is_done(); });
  return running_ ? absl::OkStatus() : Stopping();
}

absl::StatusOr<std::vector<AssignedRegion>> AssignmentManager::AwaitOlderOpenings(std::vector<AssignedRegion> regions) {
  std::unique_lock lock(mutex_);
  const std::set<int64_t> openings = machine_.UnansweredOpenings(EncodedNames(regions));
  std::set<std::string> starting;
  for (const AssignedRegion& region : regions) {
    const auto view = machine_.Find(region.info.EncodedName());
    if (view.has_value() && machine_.IsStarting(view->home)) starting.insert(view->home);
  }
  done_.wait(lock, [&] {
    const auto is_unanswered = [this](int64_t opening) { return machine_.IsUnanswered(opening); };
    const auto starts = [this](const std::string& server) { return machine_.IsStarting(server); };
    return !running_ || (std::none_of(openings.begin(), openings.end(), is_unanswered) &&
                         std::none_of(starting.begin(), starting.end(), starts));
  });
  if (!running_) return Stopping();
  for (AssignedRegion& region : regions) {
    if (const auto view = machine_.Find(region.info.EncodedName()); view.has_value()) region.home = view->home;
  }
  return regions;
}

void AssignmentManager::AwaitFirstSteps(std::string_view server_name) {
  const auto has_not_come_far = [&](const RegionView& region) {
    const bool is_its =
        region.home == server_name || region.server == server_name || (region.home.empty() && machine_.started());
    return is_its && region.attempts == 0;
  };
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] {
    const std::vector<RegionView> moving = machine_.InTransition();
    return !running_ || std::none_of(moving.begin(), moving.end(), has_not_come_far);
  });
}

std::vector<std::string> AssignmentManager::ServersForNewRegions() const {
  std::lock_guard lock(mutex_);
  std::vector<std::string> open, live;
  for (const assignment::ServerView& server : machine_.Servers()) {
    if (server.state != assignment::ServerView::State::kLive || !machine_.IsReady(server.name)) continue;
    live.push_back(server.name);
    if (!server.draining) open.push_back(server.name);
  }
  return open.empty() ? live : open;
}

absl::Status AssignmentManager::Leave(std::string_view server_name) {
  const std::string name(server_name);
  std::lock_guard lock(mutex_);
  if (!running_) return absl::UnavailableError("the master is starting or stopping");
  bool left = false;
  const Outputs outputs = machine_.Leave(NowMs(), name, &left);
  if (!left) return absl::FailedPreconditionError(name + " has regions");
  DropDeadServers("leave");
  Apply(outputs, "leave");
  return absl::OkStatus();
}

// ---- users' rights ----

void AssignmentManager::NoteRights(const std::string& server, int64_t version) {
  const auto found = connections_.find(server);
  if (found == connections_.end()) return;
  int64_t& known = found->second.permissions_version;
  known = std::max(known, version);
}

void AssignmentManager::NoteToldOfRights(const std::string& server, int64_t version) {
  std::lock_guard lock(mutex_);
  NoteRights(server, version);
}

std::vector<std::string> AssignmentManager::ServersWithOlderRights(int64_t version) const {
  std::vector<std::string> names;
  std::lock_guard lock(mutex_);
  for (const auto& [name, connection] : connections_) {
    if (connection.permissions_version < version) names.push_back(name);
  }
  return names;
}

// ---- queries ----

std::optional<RegionView> AssignmentManager::Find(std::string_view region) const {
  std::lock_guard lock(mutex_);
  return machine_.Find(std::string(region));
}

std::vector<AssignedRegion> AssignmentManager::RegionsOf(const TableName& table) const {
  std::vector<AssignedRegion> regions;
  std::lock_guard lock(mutex_);
  for (const RegionView& view : machine_.RegionsOf(table)) {
    regions.push_back({*view.info, view.state, view.server, view.home});
  }
  return regions;
}

std::vector<RegionView> AssignmentManager::RegionsInTransition() const {
  std::lock_guard lock(mutex_);
  return machine_.InTransition();
}

std::vector<ServerView> AssignmentManager::Servers() const {
  std::lock_guard lock(mutex_);
  return machine_.Servers();
}

bool AssignmentManager::started() const {
  std::lock_guard lock(mutex_);
  return machine_.started();
}

AssignmentCounters AssignmentManager::counters() const {
  std::lock_guard lock(mutex_);
  return counters_;
}

}  // namespace vaquita

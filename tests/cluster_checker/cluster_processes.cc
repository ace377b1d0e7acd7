#include "tests/cluster_checker/cluster_processes.h"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <thread>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/json_value.h"
#include "base/testing/own_port.h"

namespace vaquita::checker {
namespace {

using std::chrono::milliseconds;

constexpr int kSanitizerExitCode = 66;
// A server that hears so ends (server/process/region_server_process.cc); so does one that registers too late
// (server/master/assignment/assignment_manager.cc).
constexpr std::string_view kLeaseLost[] = {"took this server for dead",
                                           "was declared dead, or a later server at its address has registered"};
constexpr milliseconds kLook{10};
constexpr std::chrono::minutes kPatience{2};

// Gives sanitizers an exit code other than a server's own 1.
std::map<std::string, std::string> Environment() {
  std::map<std::string, std::string> environment;
  for (const char* name : {"ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"}) {
    const char* before = std::getenv(name);
    environment[name] = absl::StrCat(before == nullptr ? "" : before, " exitcode=", kSanitizerExitCode);
  }
  return environment;
}

void SetPort(const char* property, int port, std::vector<std::string>* arguments) {
  arguments->push_back("-D");
  arguments->push_back(absl::StrCat(property, "=", port));
}

}  // namespace

std::string_view ReasonOfEnd(int code, int signal, std::string_view errors) {
  if (signal != 0 && code == -signal) return "killed";
  if (signal != 0 && signal != SIGKILL && code == 0) return "stopped";
  if (code != 1) return "";
  // The last line says why it ended; the log before it tells of other servers, too.
  const size_t last = errors.rfind("\nvaquita: ");
  const std::string_view why = last == std::string_view::npos ? errors : errors.substr(last);
  for (const std::string_view harmless : kLeaseLost) {
    if (why.find(harmless) != std::string_view::npos) return "lease lost";
  }
  return "";
}

ClusterProcesses::ClusterProcesses(Run* run, Setup setup) : run_(run), setup_(std::move(setup)) {
  for (size_t i = 1; i <= kMasters; ++i)
    members_.push_back({.name = absl::StrCat("master-", i), .arguments = {"master"}});
  for (int i = 1; i <= setup_.region_servers; ++i) {
    members_.push_back({.name = absl::StrCat("regionserver-", i), .arguments = {"regionserver"}});
  }
  for (Member& member : members_) {
    member.arguments.insert(member.arguments.end(), {"--data", setup_.folder + "/data", "--log-level", "info"});
    member.arguments.insert(member.arguments.end(), setup_.arguments.begin(), setup_.arguments.end());
  }
  SetPorts();
}

ClusterProcesses::~ClusterProcesses() {
  for (Member& member : members_) {
    if (member.process) member.process->Signal(SIGKILL);
  }
}

void ClusterProcesses::Begin(Member& member) {
  member.folder = absl::StrCat(setup_.folder, "/", member.name, "/life-", ++member.lives);
  std::filesystem::create_directories(member.folder);
  member.signal = 0;
  member.downtime = milliseconds(0);
  member.resume_at = Clock::time_point::max();
  std::vector<std::string> arguments = member.arguments;
  arguments.insert(arguments.end(), {"--ready-file", member.folder + "/ready.json"});
  member.process = std::make_unique<ServerProcess>(member.folder, arguments, Environment(), setup_.program);
  if (member.process->pid() > 0) return;
  run_->Fail("cannot run " + setup_.program);
  member.process.reset();
  member.start_at = Clock::now() + kPatience;
}

void ClusterProcesses::SetPorts() {
  for (const char* property :
       {"hbase.zookeeper.property.clientPort", "hbase.master.port", "vaquita.master.grpc.port"}) {
    const int port = testing::OwnPort();  // the active master's
    for (size_t i = 0; i < kMasters; ++i) SetPort(property, port, &members_[i].arguments);
  }
  for (size_t i = 0; i < kMasters; ++i) {
    SetPort("hbase.master.info.port", 0, &members_[i].arguments);
    SetPort("phoenix.queryserver.http.port", 0, &members_[i].arguments);
  }
  for (size_t i = kMasters; i < members_.size(); ++i) {
    for (const char* property : {"hbase.regionserver.port", "vaquita.grpc.port"}) {
      SetPort(property, testing::OwnPort(), &members_[i].arguments);
    }
    SetPort("hbase.regionserver.info.port", 0, &members_[i].arguments);
  }
}

bool ClusterProcesses::Start() {
  Member& master = members_[0];
  Begin(master);
  if (!master.process || !master.process->WaitUntilReady()) return false;
  const Json ready = master.process->Ready();
  grpc_address_ = ready.at("grpc_address");
  zookeeper_address_ = ready.at("zookeeper");
  for (size_t i = kMasters; i < members_.size(); ++i) {
    Begin(members_[i]);
    if (!members_[i].process || !members_[i].process->WaitUntilReady()) return false;
  }
  Begin(members_[1]);
  return members_[1].process != nullptr;
}

bool ClusterProcesses::Serves(const Member& member) const {
  return member.process != nullptr && member.signal == 0 && std::filesystem::exists(member.folder + "/ready.json");
}

size_t ClusterProcesses::LeadingMaster() const { return Serves(members_[1]) ? 1 : 0; }

bool ClusterProcesses::End(size_t index, int signal, milliseconds downtime) {
  Member& member = members_[index];
  // A second signal would kill a process that is stopping in order.
  if (member.signal != 0 && signal != SIGKILL) return false;
  if (member.process->HasEnded()) return false;  // by something else than this signal
  member.signal = signal;
  member.downtime = downtime;
  member.process->Signal(signal);
  return true;
}

void ClusterProcesses::Suspend(size_t index, milliseconds time) {
  members_[index].resume_at = Clock::now() + time;
  members_[index].process->Signal(SIGSTOP);
}

void ClusterProcesses::NoticeEnd(Member& member) {
  const int code = member.process->WaitForEnd();
  const std::string_view reason = ReasonOfEnd(code, member.signal, member.process->Errors());
  if (!reason.empty()) {
    run_->Count(absl::StrCat("process: ", AbslText(reason)));
  } else {
    run_->Fail(absl::StrCat(member.name, " ended with ", code < 0 ? "signal " : "exit code ", std::abs(code), ", see ",
                            member.folder, "/stderr"));
  }
  member.process.reset();
  member.start_at = Clock::now() + member.downtime;
}

void ClusterProcesses::KillAll() {
  for (size_t i = 0; i < members_.size(); ++i) {
    if (members_[i].process) End(i, SIGKILL, milliseconds(0));
  }
  for (Member& member : members_) {
    if (member.process) NoticeEnd(member);
  }
}

void ClusterProcesses::Check() {
  for (Member& member : members_) {
    if (member.process && Clock::now() >= member.resume_at) {
      member.process->Signal(SIGCONT);
      member.resume_at = Clock::time_point::max();
    }
    if (member.process && member.process->HasEnded()) NoticeEnd(member);
    if (!member.process && Clock::now() >= member.start_at) Begin(member);
  }
}

bool ClusterProcesses::AwaitAll() {
  const auto deadline = Clock::now() + kPatience;
  for (Member& member : members_) {
    member.resume_at = std::min(member.resume_at, Clock::now());
    if (member.signal == 0) continue;
    member.downtime = milliseconds(0);
    member.start_at = Clock::now();
  }
  for (;;) {
    Check();
    bool all = Serves(members_[0]) || Serves(members_[1]);
    for (size_t i = kMasters; i < members_.size(); ++i) all = all && Serves(members_[i]);
    if (all) return true;
    if (Clock::now() > deadline) return false;
    std::this_thread::sleep_for(kLook);
  }
}

ProcessKeeper::ProcessKeeper(ClusterProcesses* processes)
    : thread_([this, processes] {
        while (over_.Pause(kLook)) processes->Check();
      }) {}

ProcessKeeper::~ProcessKeeper() {
  over_.Set();
  thread_.join();
}

}  // namespace vaquita::checker

#include "tests/cluster_checker/cluster_processes.h"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

#include "absl/strings/str_cat.h"

namespace vaquita::checker {
namespace {

using std::chrono::milliseconds;

constexpr int kSanitizerExitCode = 66;
constexpr milliseconds kLook{10};
constexpr std::chrono::minutes kPatience{2};

// That what a sanitizer complains of is told from a server's own exit code 1.
std::map<std::string, std::string> Environment() {
  std::map<std::string, std::string> environment;
  for (const char* name : {"ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"}) {
    const char* before = std::getenv(name);
    environment[name] = absl::StrCat(before == nullptr ? "" : before, " exitcode=", kSanitizerExitCode);
  }
  return environment;
}

std::string Port(const std::string& address) { return address.substr(address.rfind(':') + 1); }

void SetProperty(const std::string& name, const std::string& value, std::vector<std::string>* arguments) {
  arguments->push_back("-D");
  arguments->push_back(absl::StrCat(name, "=", value));
}

}  // namespace

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
}

bool ClusterProcesses::Start() {
  Member& master = members_[0];
  std::vector<std::string> with_ports = master.arguments;
  master.arguments.push_back("--free-ports");
  Begin(master);
  if (!master.process->WaitUntilReady()) return false;
  const nlohmann::json ready = master.process->Ready();
  grpc_address_ = ready.at("grpc_address");
  zookeeper_address_ = ready.at("zookeeper");
  SetProperty("hbase.zookeeper.property.clientPort", Port(zookeeper_address_), &with_ports);
  SetProperty("hbase.master.port", Port(ready.at("master")), &with_ports);
  SetProperty("vaquita.master.grpc.port", Port(grpc_address_), &with_ports);
  SetProperty("hbase.master.info.port", "0", &with_ports);
  for (size_t i = 0; i < kMasters; ++i) members_[i].arguments = with_ports;
  for (size_t i = kMasters; i < members_.size(); ++i) {
    Member& server = members_[i];
    server.arguments.push_back("--free-ports");
    Begin(server);
    if (!server.process->WaitUntilReady()) return false;
    server.arguments.pop_back();
    const nlohmann::json its = server.process->Ready();
    SetProperty("hbase.regionserver.port", Port(its.at("region_server")), &server.arguments);
    SetProperty("vaquita.grpc.port", Port(its.at("grpc_address")), &server.arguments);
    SetProperty("hbase.regionserver.info.port", "0", &server.arguments);
  }
  Begin(members_[1]);
  return true;
}

bool ClusterProcesses::Serves(const Member& member) const {
  return member.process != nullptr && member.signal == 0 && std::filesystem::exists(member.folder + "/ready.json");
}

size_t ClusterProcesses::LeadingMaster() const { return Serves(members_[1]) ? 1 : 0; }

void ClusterProcesses::End(size_t index, int signal, milliseconds downtime) {
  Member& member = members_[index];
  // A second signal would end one that stops in order at once, as a kill does.
  if (member.signal != 0 && signal != SIGKILL) return;
  member.signal = signal;
  member.downtime = downtime;
  member.process->Signal(signal);
}

void ClusterProcesses::Suspend(size_t index, milliseconds time) {
  members_[index].resume_at = Clock::now() + time;
  members_[index].process->Signal(SIGSTOP);
}

void ClusterProcesses::NoticeEnd(Member& member) {
  const int code = member.process->WaitForEnd();
  const bool expected = code == 0 || code == 1 || (code == -member.signal);
  if (!expected) {
    run_->Fail(absl::StrCat(member.name, " ended with ", code < 0 ? "signal " : "exit code ", std::abs(code), ", see ",
                            member.folder, "/stderr"));
  }
  if (member.signal == 0) run_->Count("process: ended by itself, lease lost");
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

void ClusterProcesses::Look() {
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
    Look();
    bool all = Serves(members_[0]) || Serves(members_[1]);
    for (size_t i = kMasters; i < members_.size(); ++i) all = all && Serves(members_[i]);
    if (all) return true;
    if (Clock::now() > deadline) return false;
    std::this_thread::sleep_for(kLook);
  }
}

}  // namespace vaquita::checker

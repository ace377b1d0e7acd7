// tests/cluster_checker/cluster_processes.h: a cluster's processes: two masters, of which one waits, and region
// servers. Each is started, stopped and killed by itself.
//
// A process that ended stays down for a given time and is started again on its ports. Each life has a folder of its own
// with its output. A process that ends for any other reason than the test's own faults (ReasonOfEnd) fails the run.
// Threads: one at a time.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/cluster_checker/run.h"
#include "tests/process/server_process.h"

namespace vaquita::checker {

// Returns why a process may have ended: a signal that was sent to it, or the loss of its lease. Empty if it must not
// end so. `code`: as ServerProcess::WaitForEnd has it. `signal`: the one that was sent; 0: none. `errors`: its output.
std::string_view ReasonOfEnd(int code, int signal, std::string_view errors);

class ClusterProcesses {
 public:
  struct Setup {
    std::string program;  // vaquita
    std::string folder;   // for data and output
    int region_servers = 3;
    std::vector<std::string> arguments;  // further arguments of all processes
  };
  ClusterProcesses(Run* run, Setup setup);
  ~ClusterProcesses();  // kills all of them

  // Starts all of them, and waits until they serve. Returns false if one does not.
  bool Start();
  const std::string& grpc_address() const { return grpc_address_; }
  const std::string& zookeeper_address() const { return zookeeper_address_; }

  // Processes: the masters, then the region servers.
  static constexpr size_t kMasters = 2;
  size_t size() const { return members_.size(); }
  const std::string& Name(size_t member) const { return members_[member].name; }
  bool Runs(size_t member) const { return members_[member].process != nullptr; }
  size_t LeadingMaster() const;  // the running one that last said that it is active
  // Sends SIGKILL, SIGTERM or SIGINT. After its end the process stays down for `downtime`. Returns false if it sends
  // nothing, because the process is already ending.
  bool End(size_t member, int signal, std::chrono::milliseconds downtime);
  // Stops it (SIGSTOP) for that long.
  void Suspend(size_t member, std::chrono::milliseconds time);

  // Sends SIGKILL to all of them. They stay down until Check or AwaitAll.
  void KillAll();

  // Notices ended processes, restarts those that have been down for long enough, and resumes suspended ones. Call it
  // often.
  void Check();
  // Restarts all processes at once, and waits until they serve. Returns false after two minutes.
  bool AwaitAll();

 private:
  using Clock = std::chrono::steady_clock;
  struct Member {
    std::string name;
    std::vector<std::string> arguments;
    std::unique_ptr<ServerProcess> process;  // null: it is down
    std::string folder;                      // this life's
    int lives = 0;
    int signal = 0;  // the signal that was sent to end it
    std::chrono::milliseconds downtime{0};
    Clock::time_point start_at;
    Clock::time_point resume_at = Clock::time_point::max();  // max: it is not suspended
  };
  void Begin(Member& member);
  void NoticeEnd(Member& member);
  bool Serves(const Member& member) const;
  void SetPorts();

  Run* const run_;
  const Setup setup_;
  std::vector<Member> members_;
  std::string grpc_address_;
  std::string zookeeper_address_;
};

// Calls Check again and again, from a thread of its own, as long as this lives: a server whose lease ran out may end
// after the faults are over.
class ProcessKeeper {
 public:
  explicit ProcessKeeper(ClusterProcesses* processes);
  ~ProcessKeeper();
  ProcessKeeper(const ProcessKeeper&) = delete;

 private:
  StopFlag over_;
  std::thread thread_;
};

}  // namespace vaquita::checker

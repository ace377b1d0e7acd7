// tests/cluster_checker/cluster_processes.h: a cluster's processes, two masters, of which one waits, and region
// servers, each of which is started, stopped and killed by itself.
//
// A process that ended stays down for as long as it is told to and is then started again, on the ports that it had.
// Each life has a folder of its own with what it printed. A process that ends as none may, by a signal that nobody sent
// it or with a sanitizer's complaint, fails the run. Threads: one at a time.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/cluster_checker/run.h"
#include "tests/process/server_process.h"

namespace vaquita::checker {

class ClusterProcesses {
 public:
  struct Setup {
    std::string program;  // vaquita
    std::string folder;   // takes everything
    int region_servers = 3;
    std::vector<std::string> arguments;  // more of them, for all processes
  };
  ClusterProcesses(Run* run, Setup setup);
  ~ClusterProcesses();  // kills all of them

  // Starts all of them, and waits until they serve. False: one did not.
  bool Start();
  const std::string& grpc_address() const { return grpc_address_; }
  const std::string& zookeeper_address() const { return zookeeper_address_; }

  // Processes: the masters, then the region servers.
  static constexpr size_t kMasters = 2;
  size_t size() const { return members_.size(); }
  const std::string& Name(size_t member) const { return members_[member].name; }
  bool Runs(size_t member) const { return members_[member].process != nullptr; }
  size_t LeadingMaster() const;  // the one that last said so, if it runs
  // SIGKILL, SIGTERM or SIGINT, and what follows its end: `downtime` without it.
  void End(size_t member, int signal, std::chrono::milliseconds downtime);
  // Stops it (SIGSTOP) for that long.
  void Suspend(size_t member, std::chrono::milliseconds time);

  // SIGKILL for all of them; they stay down until Look or AwaitAll.
  void KillAll();

  // Notices ends, starts anew what has been down for long enough, and lets suspended ones go on. To be called often.
  void Look();
  // The same until all of them serve, without waiting for what is to stay down. False after two minutes.
  bool AwaitAll();

 private:
  using Clock = std::chrono::steady_clock;
  struct Member {
    std::string name;
    std::vector<std::string> arguments;
    std::unique_ptr<ServerProcess> process;  // null: it is down
    std::string folder;                      // of this life
    int lives = 0;
    int signal = 0;  // that it was sent to end it
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

// Looks after the processes, from a thread of its own, as long as this lives: a server whose lease ran out ends also
// when the faults are over, and long after what made it late.
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

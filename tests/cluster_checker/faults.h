// tests/cluster_checker/faults.h: random faults of the cluster while clients are at work, by the run's seed.
//
// AdministrativeFaults makes the requests of operators and of the master's own chores. The master may refuse one (the
// region moved meanwhile, a server died); this is counted, and is not a failure, unless it says that data are lost.
// ProcessFaults kills, stops and suspends processes. Threads: one each.
#pragma once

#include <chrono>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "client/admin.h"
#include "client/connection.h"
#include "tests/cluster_checker/cluster_processes.h"
#include "tests/cluster_checker/run.h"

namespace vaquita::checker {

class AdministrativeFaults {
 public:
  // Works on all tables' regions. Rows begin like RowWorkload::RandomKey's.
  AdministrativeFaults(Run* run, client::Connection& connection);

  void RunUntil(StopFlag* stop);

 private:
  void Next();
  bool Succeeded(const absl::Status& status, const char* what);
  absl::Status Move(const std::vector<client::RegionLocation>& regions);
  absl::Status Split(const std::vector<client::RegionLocation>& regions);
  absl::Status Merge(const std::vector<client::RegionLocation>& regions);

  Run* const run_;
  const std::unique_ptr<client::Admin> admin_;
  std::mt19937_64 random_;
  bool has_moved_ = false;  // a request was obeyed
  bool has_split_ = false;
};

class ProcessFaults {
 public:
  ProcessFaults(Run* run, ClusterProcesses* processes, std::chrono::milliseconds lease);

  // Makes faults until `stop`, and waits until all processes run again. Returns false if they do not.
  bool RunUntil(StopFlag* stop);

 private:
  void Next();
  size_t AnyServer();
  std::chrono::milliseconds Below(std::chrono::milliseconds time);
  std::chrono::milliseconds Downtime();
  void End(size_t member, int signal, const char* what);

  Run* const run_;
  ClusterProcesses* const processes_;
  const std::chrono::milliseconds lease_;
  std::mt19937_64 random_;
};

}  // namespace vaquita::checker

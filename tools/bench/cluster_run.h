// tools/bench/cluster_run.h: one cluster under a workload: its table, its load, and the runs on it.
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/admin.h"
#include "client/connection.h"
#include "tools/bench/answer_check.h"
#include "tools/bench/load_driver.h"
#include "tools/bench/operation_plan.h"
#include "tools/bench/operation_runner.h"
#include "tools/bench/row_keys.h"
#include "tools/bench/run_record.h"
#include "tools/bench/workload.h"

namespace vaquita::bench {

// The table that the workload wants may be there before.
enum class OldTable {
  kRefuse,
  kReuse,     // runs on its rows, and loads none
  kRecreate,  // drops it first
};

struct ClusterOptions {
  std::string label;
  std::string address;             // client/connection.h
  std::vector<std::string> https;  // host:port of the region servers' HTTP; empty: each one's host and 16030
  OldTable old_table = OldTable::kRefuse;
  int connections = 0;  // 0: as many as cost the client least
  uint64_t seed = 42;
  double warmup_s = 0;
  bool verify = false;
};

class ClusterRun {
 public:
  // Connects, and makes and loads the table. `workload` outlives it. Returns InvalidArgument if the table is there, and
  // may be neither used nor dropped.
  static absl::StatusOr<std::unique_ptr<ClusterRun>> Prepare(const Workload* workload, const ClusterOptions& options);

  // Runs the workload; rounds count from 1. Operations that fail are counted, and are no error.
  absl::StatusOr<RunRecord> Run(int round);

  // Drops the table.
  absl::Status Drop();

 private:
  ClusterRun(const Workload* workload, const ClusterOptions& options) : workload_(workload), options_(options) {}

  absl::Status OpenConnections();
  absl::Status MakeTable();
  absl::Status CreateTable();
  absl::Status Load();
  std::unique_ptr<client::Table> TableOf(int thread) const;
  std::vector<std::unique_ptr<OperationRunner>> MakeRunners(const Target& target) const;  // one for each thread
  DriveOptions HowToDrive() const;
  bool RunsInFibers() const;
  absl::StatusOr<std::vector<std::string>> RegionStarts() const;
  void Describe(RunRecord* record) const;
  void ReadServers(std::optional<ServerRecord>* figures, std::string* why_not) const;

  const Workload* const workload_;
  const ClusterOptions options_;
  TableName table_;
  std::vector<std::shared_ptr<client::Connection>> connections_;
  std::unique_ptr<client::Admin> admin_;
  std::unique_ptr<RowKeys> keys_;
  std::unique_ptr<RowCount> rows_;
  std::unique_ptr<AnswerCheck> check_;
  std::vector<std::string> server_names_;
  std::string version_;
  bool made_ = false;  // the table is new
};

}  // namespace vaquita::bench

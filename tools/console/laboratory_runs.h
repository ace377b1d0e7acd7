// tools/console/laboratory_runs.h: writes a run's records to tables of the cluster, at a rate, for the pages of the
// laboratory and the workshop.
//
// One run goes on at a time, of several designs at once, on its own thread. A design without a table gets the
// laboratory's table lab_NAME, which replaces that of the run before. Rows and rate are bounded, and a run ends after
// ten minutes. Threads: any.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "client/connection.h"
#include "model/table_name.h"
#include "tools/console/cluster_link.h"
#include "tools/console/laboratory_input.h"
#include "tools/console/request_json.h"

namespace vaquita {

class LaboratoryRuns {
 public:
  explicit LaboratoryRuns(std::shared_ptr<ClusterLink> link) : link_(std::move(link)) {}
  ~LaboratoryRuns();

  // Takes ReadLaboratoryInput's fields and "rate" (rows a second for each design). A design's "table" is an existing
  // table to write to; its first family gets the cells. Returns Status's answer once the tables exist. Returns
  // Unavailable while a run goes on.
  absl::StatusOr<std::string> Start(std::string_view body);
  // Ends the run and waits for its end, which comes soon.
  absl::StatusOr<std::string> Stop();
  // Returns {"running", "started", "until" (now, or when it ended), "rows", "rate", "error", "designs": [{"name",
  // "table", "written"}]}.
  absl::StatusOr<std::string> Status() const;

 private:
  struct Target {
    std::string name;
    TableName table;
    std::string family;
    lab::KeyDesign design;
    std::atomic<uint64_t> written = 0;
  };
  struct Run {
    std::shared_ptr<client::Connection> connection;
    std::shared_ptr<const lab::RecordSet> records;
    int64_t rate = 0;
    int64_t started_ms = 0;
    std::atomic<int64_t> ended_ms = 0;  // 0: it goes on
    std::vector<std::unique_ptr<Target>> targets;
    mutable std::mutex mutex;
    std::string error;  // under mutex
  };

  absl::Status MakeTargets(const Json& request, const LaboratoryInput& input, Run* run);
  static void Write(const std::stop_token& stop, Run* run);
  static absl::Status WriteRows(const std::stop_token& stop, Run* run);

  const std::shared_ptr<ClusterLink> link_;
  mutable std::mutex mutex_;
  std::shared_ptr<Run> run_;  // the last one; null: none was started
  std::jthread thread_;       // declared after the run that it writes
};

}  // namespace vaquita

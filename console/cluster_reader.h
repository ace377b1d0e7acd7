// console/cluster_reader.h: reads the cluster as this process knows it: the master all of it, a region server itself.
//
// It reads a status at most twice a second for all callers, since that of 100,000 regions costs a tenth of a second.
// Threads: any.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/status/statusor.h"
#include "console/console_source.h"
#include "model/cluster_status.h"
#include "model/table_descriptor.h"
#include "server/master/master_metrics.h"
#include "server/master/meta/assigned_region.h"

namespace vaquita {

struct TableSummary {
  TableName name;
  TableState state = TableState::kEnabled;
  std::shared_ptr<const TableDescriptor> descriptor;
};

class ClusterReader {
 public:
  explicit ClusterReader(const ConsoleSource* source) : source_(*source) {}  // `source` outlives it

  bool has_master() const { return source_.with_master != nullptr; }
  absl::StatusOr<std::shared_ptr<const ClusterStatus>> Status();
  // Returns the master's counters; REQUIRES: has_master().
  absl::StatusOr<MasterMetrics> OfMaster() const;
  // Returns the users' tables by name; at a region server those of its regions.
  absl::StatusOr<std::vector<TableSummary>> Tables() const;
  absl::StatusOr<TableSummary> Table(const TableName& name) const;
  // Returns the table's regions by start key; at a region server its own.
  absl::StatusOr<std::vector<AssignedRegion>> Regions(const TableName& table) const;

 private:
  absl::StatusOr<ClusterStatus> ReadStatus() const;

  const ConsoleSource& source_;
  std::mutex mutex_;
  int64_t read_ms_ = 0;
  std::shared_ptr<const ClusterStatus> status_;
};

}  // namespace vaquita

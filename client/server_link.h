// client/server_link.h: the way to a cluster: what its protocol has to offer the rest of the library, which knows of
// none. There are two: gRPC (client/grpc/grpc_link.h) and HBase's RPC (client/hbase/hbase_link.h).
//
// Each method makes one attempt, waits for it until `deadline` at most, and says how it ended; what is repeated, and
// where, is the caller's affair.
// Threads: every method may be called from any thread; a RegionScan by one at a time.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/connection.h"
#include "client/table.h"
#include "model/cluster_status.h"

namespace vaquita::client {

struct Cluster;

using TimePoint = std::chrono::system_clock::time_point;

// How a call ended.
struct CallOutcome {
  absl::Status status;
  // The request may have been executed although there is an error: the connection broke, or time was up, before an
  // answer came.
  bool may_have_run = false;
  bool ok() const { return status.ok(); }
};

struct LocatedRegion {
  RegionLocation location;
  std::string encoded_name;  // computed once: it is a hash
};
using Located = std::shared_ptr<const LocatedRegion>;

// An action and the number by which a server knows one that it has had before. Borrowed from whoever runs it.
struct NumberedAction {
  const Action* action;
  uint64_t nonce;
};

// The actions of one region in one attempt, and what came of them.
struct RegionBatch {
  Located region;
  std::vector<NumberedAction> actions;
  CallOutcome outcome;                // of all of them
  std::vector<ActionResult> results;  // if that is OK: one for each action
};

// The next of a region's answers to a scan.
struct ScanAnswer {
  std::vector<Result> results;
  bool region_done = false;
  // With region_done: where the scan goes on; none if it is at its end.
  struct Start {
    std::string row;
    bool inclusive = true;
  };
  std::optional<Start> next;
};

// A scan of one region. Its end gives up what the server keeps for it.
class RegionScan {
 public:
  virtual ~RegionScan() = default;
  // After an error it is of no more use. Without `scan.allow_partial_results` and batch, rows come whole.
  virtual CallOutcome Next(TimePoint deadline, ScanAnswer* answer) = 0;
};

class ServerLink {
 public:
  virtual ~ServerLink() = default;

  // Waits until the cluster answers.
  virtual absl::Status Connect(TimePoint deadline) = 0;
  // Whether an action that is sent twice, with the same number, is executed once.
  virtual bool KnowsRepeatsOf(const Action& action) const = 0;

  // Where regions are; kTableNotFound if the table is not there.
  virtual CallOutcome LocateRow(const TableName& table, std::string_view row, TimePoint deadline,
                                RegionLocation* location) = 0;
  // In order of their rows, without parents of a split that are not removed yet.
  virtual CallOutcome ListRegions(const TableName& table, TimePoint deadline,
                                  std::vector<RegionLocation>* locations) = 0;
  virtual CallOutcome GetTableState(const TableName& table, TimePoint deadline, TableState* state) = 0;

  // `result->status` is left alone: the outcome is the action's.
  virtual CallOutcome Run(const LocatedRegion& region, NumberedAction action, TimePoint deadline,
                          ActionResult* result) = 0;
  // Those of different regions go at the same time; of a region's, those on one row keep their order.
  virtual void RunBatches(std::span<RegionBatch> batches, TimePoint deadline) = 0;
  // Nothing is sent before the first Next. The scan ends with the link's own error at `last`.
  virtual std::unique_ptr<RegionScan> OpenScan(Located region, const Scan& scan, TimePoint last) = 0;

  // `cluster` has this link.
  virtual std::unique_ptr<Admin> MakeAdmin(std::shared_ptr<Cluster> cluster) = 0;
};

}  // namespace vaquita::client

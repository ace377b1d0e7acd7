// client/server_link.h: the interface between the client library and a protocol. Two protocols implement it: gRPC
// (client/grpc/grpc_link.h) and HBase's RPC (client/hbase/hbase_link.h).
//
// Each method makes one attempt, waits until `deadline` at most, and returns its outcome. The caller decides about
// repeating it. Threads: every method may be called from any thread; a RegionScan by one at a time.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/connection.h"
#include "client/table.h"
#include "model/cluster_status.h"

namespace vaquita::client {

struct Cluster;

// Nobody sets this clock, so setting the machine's time neither ends waits nor prolongs them.
using TimePoint = std::chrono::steady_clock::time_point;

// The outcome of a call.
struct CallOutcome {
  absl::Status status;
  // True if the request may have been executed in spite of an error, because the connection broke or time was up before
  // an answer came.
  bool may_have_run = false;
  bool ok() const { return status.ok(); }
};

struct LocatedRegion {
  explicit LocatedRegion(RegionLocation found)
      : location(std::move(found)), encoded_name(location.info.EncodedName()), name(location.info.Name()) {}

  const RegionLocation location;
  // RegionInfo's, computed once: they have a hash.
  const std::string encoded_name;
  const std::string name;
};
using Located = std::shared_ptr<const LocatedRegion>;

// An action and the nonce by which a server recognizes a repeated one. The caller owns the action.
struct NumberedAction {
  const Action* action;
  uint64_t nonce;
};

// The actions of one region in one attempt, and their results.
struct RegionBatch {
  Located region;
  std::vector<NumberedAction> actions;
  CallOutcome outcome;                // applies to all of them
  std::vector<ActionResult> results;  // if that is OK: one for each action
};

// One answer of a region to a scan.
struct ScanAnswer {
  std::vector<Result> results;
  bool region_done = false;
  // Set with region_done: the place where the scan goes on; nullopt at its end.
  struct Start {
    std::string row;
    bool inclusive = true;
  };
  std::optional<Start> next;
};

// A scan of one region. Its destructor frees the scanner on the server.
class RegionScan {
 public:
  virtual ~RegionScan() = default;
  // After an error the scan cannot go on. Without `scan.allow_partial_results` and a batch limit, rows come whole.
  virtual CallOutcome Next(TimePoint deadline, ScanAnswer* answer) = 0;
};

class ServerLink {
 public:
  virtual ~ServerLink() = default;

  // Waits until the cluster answers.
  virtual absl::Status Connect(TimePoint deadline) = 0;
  // Returns whether an action that is sent twice with the same nonce is executed once.
  virtual bool KnowsRepeatsOf(const Action& action) const = 0;

  // Connection has this.
  virtual bool SuspendsFibers() const { return false; }

  // These find regions. They return kTableNotFound if the table does not exist.
  virtual CallOutcome LocateRow(const TableName& table, std::string_view row, TimePoint deadline,
                                RegionLocation* location) = 0;
  // Lists regions in order of their rows, without split parents that are not removed yet.
  virtual CallOutcome ListRegions(const TableName& table, TimePoint deadline,
                                  std::vector<RegionLocation>* locations) = 0;
  virtual CallOutcome GetTableState(const TableName& table, TimePoint deadline, TableState* state) = 0;

  // Runs one action. Leaves `result->status` alone: the outcome has the status.
  virtual CallOutcome Run(const LocatedRegion& region, NumberedAction action, TimePoint deadline,
                          ActionResult* result) = 0;
  // Runs batches of different regions at the same time. Actions on one row keep their order.
  virtual void RunBatches(std::span<RegionBatch> batches, TimePoint deadline) = 0;
  // Opens a scan; the first Next sends the request. The scan ends with the link's own error at `last`.
  virtual std::unique_ptr<RegionScan> OpenScan(Located region, const Scan& scan, TimePoint last) = 0;

  // Computes as Table::Aggregate says, in this region. Returns kUnsupportedOperation if the protocol has no such call.
  virtual CallOutcome Aggregate(const LocatedRegion& region, const Scan& scan, std::string_view plan,
                                TimePoint deadline, AggregateAnswer* answer) = 0;

  // `cluster` has this link.
  virtual std::unique_ptr<Admin> MakeAdmin(std::shared_ptr<Cluster> cluster) = 0;
};

}  // namespace vaquita::client

// server/test_control/cluster_control.h: sends a test's requests from a cluster's master to its region servers, each of
// which has its own faults, calls and clock.
//
// It asks all servers, one after the other. Errors: the first one's, with the server's name. Threads: any; each call
// waits for the answers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/tls/tls_context.h"
#include "model/cluster_status.h"
#include "vaquita/v1/test.pb.h"

namespace vaquita {

class ClusterControl {
 public:
  // Null `tls`: the servers have none.
  explicit ClusterControl(std::shared_ptr<TlsContext> tls) : tls_(std::move(tls)) {}

  // Returns the fault as the servers have it.
  absl::StatusOr<v1::Fault> AddFaultAt(const std::vector<ServerMetrics>& servers, const v1::Fault& fault) const;

  // Adds the servers' faults to those in `response`. Faults of one id are one, with the sums of their counts.
  absl::Status AppendFaultsOf(const std::vector<ServerMetrics>& servers, v1::ListFaultsResponse* response) const;

  // Removes the fault `id` (0: all). A server without the fault is no error.
  absl::Status ClearFaultsAt(const std::vector<ServerMetrics>& servers, int64_t id) const;

  // Adds the servers' calls, each with its server's name, to those in `response`, by number.
  absl::Status AppendCallsOf(const std::vector<ServerMetrics>& servers, const v1::ListCallsRequest& request,
                             v1::ListCallsResponse* response) const;

  absl::Status SetClockAt(const std::vector<ServerMetrics>& servers, const v1::SetClockRequest& request) const;

  // Returns the clock of the master whose gRPC is at `address`.
  absl::StatusOr<v1::ClockState> ClockAt(const std::string& address) const;

 private:
  const std::shared_ptr<TlsContext> tls_;
};

}  // namespace vaquita

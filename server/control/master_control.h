// server/control/master_control.h: a region server's requests to the master.
//
// Over a network: grpc_master_control.h. Errors: Unavailable if no active master answers. Threads: any.
// Source: RegionServerStatusService (2.6).
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/region_info.h"
#include "server/control/membership.h"

namespace vaquita {

class MasterControl {
 public:
  virtual ~MasterControl() = default;

  // Registers a server. Returns FailedPrecondition if this life is known to be dead, or if a later one has registered;
  // HadLaterLife (later_life.h) if the server need only take a later start code.
  virtual absl::StatusOr<RegistrationAnswer> Register(const ServerRegistration& server) = 0;
  virtual absl::StatusOr<ReportAnswer> Report(const ServerReport& report) = 0;
  // Says that the region, by its table's policy, should be split. The master decides.
  virtual absl::Status RequestSplit(std::string_view server_name, const RegionInfo& region) = 0;
  // Asks the master to move the server's regions away, because it is stopping. Returns at once; the server goes on
  // reporting until it has no region left, or gives up. May be repeated.
  virtual absl::Status Drain(std::string_view server_name) = 0;
  // Says that the server stops now and has no regions, so that it is not taken for dead. Returns FailedPrecondition if
  // it is the home of a region.
  virtual absl::Status Leave(std::string_view server_name) = 0;
};

}  // namespace vaquita

// server/control/master_control.h: what a region server asks of the master.
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

  // FailedPrecondition: this life of the server is known to be dead, or a later one has registered.
  virtual absl::StatusOr<RegistrationAnswer> Register(const ServerRegistration& server) = 0;
  virtual absl::StatusOr<ReportAnswer> Report(const ServerReport& report) = 0;
  // The region, by its table's policy, wants to be split. The master does as it likes.
  virtual absl::Status RequestSplit(std::string_view server_name, const RegionInfo& region) = 0;
  // The server is to stop: its regions go elsewhere, and none comes. Returns at once; the server goes on to report
  // until it has no region left, or gives up. May be repeated.
  virtual absl::Status Drain(std::string_view server_name) = 0;
  // The server stops now and has no regions: nobody need miss it. FailedPrecondition: it is some region's home.
  virtual absl::Status Leave(std::string_view server_name) = 0;
};

}  // namespace vaquita

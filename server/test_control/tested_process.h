// server/test_control/tested_process.h: the process that the control controls, as it sees it.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "vaquita/v1/test.pb.h"

namespace vaquita {

class Master;
class RegionServer;

// Threads: any; the control calls one of SaveState, RestoreState and Advertise at a time.
class TestedProcess {
 public:
  virtual ~TestedProcess() = default;

  virtual Master* master() = 0;  // null: it is in another process
  virtual RegionServer* region_server() = 0;
  // Links the whole state into `folder`, which is not there yet.
  virtual absl::Status SaveState(const std::string& folder) = 0;
  // Replaces the state by that of `folder`, and serves it.
  virtual absl::Status RestoreState(const std::string& folder) = 0;
  // Where saved states are kept: on the file system of the data.
  virtual std::string SavedStatesFolder() const = 0;
  virtual absl::Status Advertise(const v1::Addresses& addresses) = 0;
  virtual v1::Addresses Advertised() const = 0;
};

}  // namespace vaquita

// server/control/process_orders.h: orders that a client may give to the process that serves it.
//
// Threads: any. Source: HMaster.stopMaster, HRegionServer.stop and updateConfiguration (2.6).
#pragma once

#include <functional>

#include "absl/status/status.h"

namespace vaquita {

struct ProcessOrders {
  // Begins an orderly stop of the process, and returns at once. Null: it takes no such order.
  std::function<void()> stop;
  // Reads the process's configuration again, and takes over what may change while it runs. Returns an error that names
  // the setting that is wrong, or those that need a restart. Null: there is nothing to read.
  std::function<absl::Status()> update_configuration;
};

}  // namespace vaquita

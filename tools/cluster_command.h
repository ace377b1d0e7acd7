// tools/cluster_command.h: `vaquita cluster`: a master and some region servers on this machine, each a process of its
// own, until SIGTERM or SIGINT. For workshops and tests.
//
// A process that ends by itself is started again, on the same ports. A ready file says where all of them are, once all
// serve. If this process is killed the others stop.
#pragma once

#include <cstdint>

#include "tools/server_command.h"

namespace vaquita {

struct ClusterArguments {
  ServerArguments server;
  int64_t servers = 3;
};

int RunCluster(const ClusterArguments& arguments);

}  // namespace vaquita

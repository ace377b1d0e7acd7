// tools/region_server_command.h: `vaquita regionserver`: a region server of a cluster, until SIGTERM or SIGINT.
//
// It prints its addresses and writes a ready file once it serves. SIGTERM has the master move its regions away first;
// after SIGINT it stops at once and keeps them for its next life. Exit code 1 also when the master took it for dead: it
// is to be started again.
#pragma once

#include "tools/server_command.h"

namespace vaquita {

int RunRegionServer(const ServerArguments& arguments);

}  // namespace vaquita

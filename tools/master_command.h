// tools/master_command.h: `vaquita master`: the master of a cluster, until SIGTERM or SIGINT.
//
// While another master of the data root leads it waits, and says so; it prints its addresses and writes a ready file
// once it leads.
#pragma once

#include "tools/server_command.h"

namespace vaquita {

int RunMaster(const ServerArguments& arguments);

}  // namespace vaquita

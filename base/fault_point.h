// base/fault_point.h: named places where a test can kill the process, as kill -9 does.
//
// The environment variable VAQUITA_FAULT names the place, e.g. "split:committed"; the first time it is reached the
// process kills itself with SIGKILL. Without the variable a place costs one comparison. Crash tests (tests/process)
// name every place. Threads: any.
#pragma once

#include <string_view>

namespace vaquita {

void FaultPoint(std::string_view name);

}  // namespace vaquita

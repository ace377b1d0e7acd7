// base/steady_ms.h: the time for durations and deadlines inside the process.
#pragma once

#include <chrono>
#include <cstdint>

namespace vaquita {

// Returns milliseconds of the steady clock, which nobody sets back. Threads: any.
inline int64_t SteadyMs() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace vaquita

// base/resident_memory.h: how much memory this process has resident.
#pragma once

#include <cstdint>

namespace vaquita {

int64_t ResidentMemoryBytes();  // 0 if the system does not say

}  // namespace vaquita

// model/cache_eviction.h: the outcome of emptying servers' block caches. Source: CacheEvictionStats (2.6).
#pragma once

#include <cstdint>

namespace vaquita {

struct CacheEviction {
  int64_t evicted_blocks = 0;
  int64_t evicted_bytes = 0;
  int64_t capacity_bytes = 0;  // all caches that were asked together
};

}  // namespace vaquita

// lab/emulator/block_cache_model.h: estimates the hit ratio of an LRU block cache without simulating requests.
//
// Che's approximation (Che, Tung, Wang: Hierarchical Web Caching Systems, 2002): a block stays in the cache for a time
// T after its last request, the same for all blocks; T is the time in which requests touch as many different blocks as
// fit into the cache. The model takes requests for independent draws. Threads: any.
#pragma once

#include <span>

namespace vaquita::lab {

// Blocks with equal request rates.
struct BlockGroup {
  double blocks = 0;
  double requests = 0;  // sum over the group, in any unit that the groups share
};

// Returns the share of the requests that find their block in a cache of `cache_blocks`.
double LruHitRatio(std::span<const BlockGroup> groups, double cache_blocks);

}  // namespace vaquita::lab

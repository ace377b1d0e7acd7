// lab/emulator/block_cache_model.h: how often an LRU cache of blocks has what is asked for, without simulating a single
// request.
//
// Che's approximation (Che, Tung, Wang: Hierarchical Web Caching Systems, 2002): a block stays in the cache for a time
// T after its last request, the same for all blocks; T is the time in which as many different blocks are asked for as
// the cache has room for. It takes requests for independent draws. Threads: any.
#pragma once

#include <span>

namespace vaquita::lab {

// Blocks that are asked for alike.
struct BlockGroup {
  double blocks = 0;
  double requests = 0;  // all of the group's, in any unit that the groups share
};

// The share of the requests that find their block among `cache_blocks`.
double LruHitRatio(std::span<const BlockGroup> groups, double cache_blocks);

}  // namespace vaquita::lab

#include "lab/emulator/block_cache_model.h"

#include <cmath>

namespace vaquita::lab {
namespace {

// Returns the number of different blocks that requests ask for in a time of exp(log_time) requests' units.
double BlocksAskedFor(std::span<const BlockGroup> groups, double log_time) {
  const double time = std::exp(log_time);
  double blocks = 0;
  for (const BlockGroup& group : groups) {
    if (group.blocks > 0) blocks -= group.blocks * std::expm1(-group.requests / group.blocks * time);
  }
  return blocks;
}

}  // namespace

double LruHitRatio(std::span<const BlockGroup> groups, double cache_blocks) {
  double blocks = 0;
  double requests = 0;
  for (const BlockGroup& group : groups) {
    if (group.requests > 0) blocks += group.blocks;
    requests += group.requests;
  }
  if (!(requests > 0)) return 0;
  if (blocks <= cache_blocks) return 1;
  // BlocksAskedFor() grows with the time, from none to all.
  double low = -100, high = 100;
  for (int step = 0; step < 100; ++step) {
    const double middle = (low + high) / 2;
    (BlocksAskedFor(groups, middle) < cache_blocks ? low : high) = middle;
  }
  const double time = std::exp(low);
  double hits = 0;
  for (const BlockGroup& group : groups) {
    if (group.blocks > 0) hits -= group.requests * std::expm1(-group.requests / group.blocks * time);
  }
  return hits / requests;
}

}  // namespace vaquita::lab

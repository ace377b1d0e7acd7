// server/master/assignment/simulation/simulation.h: a whole cluster in simulated time, with everything going wrong.
//
// Four hosts run region servers, one master at a time runs the state machine. For a while processes crash, fall asleep
// and wake up again, messages are late, twice or never, commands fail; clients write and read, an administrator moves,
// splits, merges, closes, opens and drains. Then the faults stop, and everything must come to rest.
//
// What must hold all the time:
//   1. A key is answered for by one server at most, and that is where meta leads to.
//   2. Every acknowledged write is in what answers for its key, and where the rule of a region's home says.
//   3. The regions of meta cover all keys, each once.
// And in the end: every region is OPEN and served by a live server, every request has ended.
#pragma once

#include <cstdint>
#include <string>

#include "server/master/assignment/simulation/world.h"

namespace vaquita::assignment {

struct SimulationResult {
  std::string failure;       // empty: none
  int64_t converged_ms = 0;  // after the faults stopped
  Counts counts;
};

// The same seed does the same. `trace`: prints what happens.
SimulationResult Simulate(uint64_t seed, Broken broken = Broken::kNothing, bool trace = false);

}  // namespace vaquita::assignment

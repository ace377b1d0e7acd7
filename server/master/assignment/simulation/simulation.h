// server/master/assignment/simulation/simulation.h: a whole cluster in simulated time, with many faults.
//
// Four hosts run region servers, one master at a time runs the state machine. For a while processes crash, fall asleep
// and wake up again, messages are late, twice or never, commands fail; clients write and read, an administrator moves,
// splits, merges, closes, opens and drains. After that the faults stop, and the cluster must come to rest.
//
// These must hold all the time:
//   1. At most one server answers for a key, and meta leads to it.
//   2. The server that answers for a key has every acknowledged write to it, in the region's home.
//   3. The regions of meta cover each key once.
// At the end every region is OPEN and served by a live server, none of them has a handoff, and every request has ended.
#pragma once

#include <cstdint>
#include <string>

#include "server/master/assignment/simulation/world.h"

namespace vaquita::assignment {

struct SimulationResult {
  std::string failure;       // empty on success
  int64_t converged_ms = 0;  // after the faults stopped
  Counts counts;
};

// Runs a simulation, which depends on the seed alone. `trace` prints the events.
SimulationResult Simulate(uint64_t seed, Broken broken = Broken::kNothing, bool trace = false);

}  // namespace vaquita::assignment

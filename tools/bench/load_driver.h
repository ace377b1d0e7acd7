// tools/bench/load_driver.h: calls a function from several threads, and measures how long each call takes.
//
// Closed loop: a thread makes its next call when the last one is done. Open loop: call i is due at its own time, start
// + i / rate, whether earlier calls are done or not, and its latency counts from there. So a server that stalls for a
// second shows in all calls that were due in that second, not in one for each thread (coordinated omission). Threads:
// Drive starts its own. In a closed loop they may be fibers (base/fibers.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tools/bench/latency_histogram.h"

namespace vaquita::bench {

// The outcome of one call.
struct CallOutcome {
  size_t kind = 0;             // below DriveOptions::kinds
  uint64_t rows = 0;           // read or written
  uint64_t bytes_written = 0;  // keys and values
  std::string error;           // empty: it worked
  std::string wrong;           // its answer is wrong: why
};

struct DriveOptions {
  int threads = 1;
  // 0: each thread is one of the system's. Else the threads are fibers of so many of the system's; thread i runs in
  // number i modulo this. REQUIRES: a closed loop.
  int fiber_threads = 0;
  size_t kinds = 1;
  double rate = 0;      // calls per second; 0: closed loop
  double warmup_s = 0;  // calls that are due before its end are made, and not measured; errors and wrong answers count
  double seconds = 0;   // measured; 0: no end by this
  uint64_t calls = 0;   // that are measured; 0: no end by this. One of both is set
  // Called when the measurement begins, after each second, and when all calls are done. From one thread; may be null.
  std::function<void()> on_begin;
  std::function<void(double second, uint64_t calls)> on_second;
  std::function<void()> on_end;
};

struct KindResult {
  LatencyHistogram latency;  // counts calls that worked; in an open loop from the time when each was due
  uint64_t rows = 0;
  uint64_t failed = 0;  // also in the warm-up
};

struct SecondResult {
  uint64_t calls = 0;  // that ended in it
  uint64_t rows = 0;
  int64_t sum_ns = 0;  // the sum of latencies
  int64_t max_ns = 0;
};

struct DriveResult {
  double seconds = 0;  // from the beginning of the measurement to the last call's end
  std::vector<KindResult> kinds;
  std::vector<SecondResult> per_second;
  LatencyHistogram service;  // these calls from their real start, as a closed loop would have measured them
  uint64_t bytes_written = 0;
  uint64_t wrong = 0;
  uint64_t not_started = 0;         // due in an open loop, and not made because the loop was too far behind
  std::vector<std::string> errors;  // some errors and wrong answers, each once
};

// Makes call number 0, 1, ... on thread `thread`.
using Call = std::function<CallOutcome(int thread, uint64_t number)>;

DriveResult Drive(const DriveOptions& options, const Call& call);

}  // namespace vaquita::bench

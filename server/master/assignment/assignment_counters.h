// server/master/assignment/assignment_counters.h: counts an assignment's steps since the master's start.
#pragma once

#include <cstdint>

namespace vaquita {

struct AssignmentCounters {
  int64_t opened = 0;
  int64_t closed = 0;
  int64_t moves = 0;
  int64_t splits = 0;
  int64_t merges = 0;
  int64_t failed_steps = 0;  // refused by servers
  int64_t adoptions = 0;
  int64_t recoveries = 0;
  int64_t recovery_ms = 0;  // the sum of all, from the command to its end
};

}  // namespace vaquita

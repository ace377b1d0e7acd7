// server/info/process_metrics.h: the metrics of every process, under the names of Prometheus's own clients.
#pragma once

#include <cstdint>

namespace vaquita {

class PrometheusText;

// Figures of this process. Times are in seconds.
struct ProcessFigures {
  double cpu_s = 0;    // user and system
  double start_s = 0;  // since the epoch
  int64_t resident_bytes = 0;
  int64_t virtual_bytes = 0;
  int64_t threads = 0;
  int64_t open_files = 0;
  int64_t most_open_files = 0;
};
ProcessFigures ReadProcessFigures();

// Appends memory, CPU time, open files, threads, start time, and the program's version.
void AppendProcessMetrics(PrometheusText* text);

}  // namespace vaquita

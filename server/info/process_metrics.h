// server/info/process_metrics.h: what every process says of itself, under the names that Prometheus's own clients use.
#pragma once

namespace vaquita {

class PrometheusText;

// Memory, CPU time, open files, threads, when it started, and the program's version.
void AppendProcessMetrics(PrometheusText* text);

}  // namespace vaquita

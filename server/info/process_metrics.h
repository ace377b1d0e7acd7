// server/info/process_metrics.h: the metrics of every process, under the names of Prometheus's own clients.
#pragma once

namespace vaquita {

class PrometheusText;

// Appends memory, CPU time, open files, threads, start time, and the program's version.
void AppendProcessMetrics(PrometheusText* text);

}  // namespace vaquita

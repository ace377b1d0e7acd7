// bench/figures.h: the table of figures beside their limits, made from the benchmarks' results.
#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

#include "bench/suite.h"

namespace vaquita::bench {

// Collects the results of benchmarks instead of printing them.
class ResultCollector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override;

  // Prints a line for each goal whose benchmark ran. Returns whether all are met and no benchmark failed.
  bool PrintFigures(const std::vector<Goal>& goals) const;

 private:
  std::map<std::string, Run> results_;  // by the benchmark's name
};

}  // namespace vaquita::bench

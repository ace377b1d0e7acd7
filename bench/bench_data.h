// bench/bench_data.h: rows that all benchmarks write, and small helpers of theirs.
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

#include "model/operations.h"
#include "model/table_descriptor.h"

namespace vaquita::bench {

class Stopwatch {
 public:
  double Seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Measures the CPU time of the process, which a busy machine stretches less than the time on the wall.
class CpuStopwatch {
 public:
  double Seconds() const { return static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC; }

 private:
  std::clock_t start_ = std::clock();
};

double Median(std::vector<double> values);

// Row `i`: 16 bytes, in no order; the same for every benchmark.
std::string BenchRow(int64_t i);
// Returns the value of row `i`'s cell: 100 bytes that do not compress well.
std::string BenchValue(int64_t i);
// Returns a put of row `i`: one cell, f:q.
Mutation BenchPut(int64_t i);
// Returns a table of one family, f, with the defaults.
TableDescriptor BenchTable(const std::string& name);

}  // namespace vaquita::bench

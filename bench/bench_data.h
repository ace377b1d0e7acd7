// bench/figures.h: the benchmarks, and the table their figures go to.
//
// Machines are noisy, so programs to compare run in turns in one process, and the median of the turns' ratios counts.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "model/operations.h"
#include "model/table_descriptor.h"

namespace vaquita::bench {

struct BenchOptions {
  int64_t rows = 5'000'000;
  std::string folder;  // for data; the caller removes it
  std::string server;  // the vaquita binary, for the benchmarks of whole processes
};

// One line of the result: a measured figure, its limit, and whether the goal is met.
struct Figure {
  std::string what;
  std::string measured;
  std::string limit;
  std::string goal;
  bool met = false;
};

using Figures = std::vector<Figure>;

// Each runs one group, and appends its figures.
absl::Status BenchKeys(const BenchOptions& options, Figures* figures);    // row keys by design
absl::Status BenchRegion(const BenchOptions& options, Figures* figures);  // against raw RocksDB
absl::Status BenchFilters(const BenchOptions& options,
                          Figures* figures);  // seeking filters against the same without seeks
absl::Status BenchBalancer(const BenchOptions& options, Figures* figures);  // plans of a large cluster
absl::Status BenchSplit(const BenchOptions& options, Figures* figures);     // a split as clients notice it
absl::Status BenchMoves(const BenchOptions& options, Figures* figures);  // a move and a recovery as clients notice them
absl::Status BenchGrpc(const BenchOptions& options, Figures* figures);   // clients of a server process
absl::Status BenchStart(const BenchOptions& options, Figures* figures);  // start, memory, many regions

class Stopwatch {
 public:
  double Seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

double Median(std::vector<double> values);

// Makes a figure that must reach `least` times its limit. `ours` and `limit` are rates of the same turns.
Figure RatioFigure(std::string_view what, const std::vector<double>& ours, const std::vector<double>& limit,
                   double least, std::string_view unit);
// Makes a figure that must stay below `most`.
Figure CeilingFigure(std::string_view what, double measured, double most, std::string_view unit);

// Returns row `i`: 16 bytes, in no order, the same for every benchmark.
std::string BenchRow(int64_t i);
// Returns the value of row `i`'s cell: 100 bytes that do not compress well.
std::string BenchValue(int64_t i);
// Returns a put of row `i`: one cell, f:q.
Mutation BenchPut(int64_t i);
// Returns a table of one family, f, with the defaults.
TableDescriptor BenchTable(const std::string& name);

}  // namespace vaquita::bench

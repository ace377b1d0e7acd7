// bench/suite.h: the benchmarks as Google Benchmark knows them, and the goals of their results.
//
// Machines are noisy: what is compared runs in turns in one process, and the median of the turns' ratios counts.
#pragma once

#include <benchmark/benchmark.h>

#include <any>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vaquita::bench {

struct BenchOptions {
  int64_t rows = 5'000'000;  // of the region's benchmarks
  std::string folder;        // for data
  std::string server;        // the vaquita binary, for the benchmarks of whole processes
};

// One line of the table: a counter of a benchmark beside its limit.
struct Goal {
  enum class Kind {
    kNone,     // no bound
    kAtMost,   // below `bound`
    kAtLeast,  // at least `bound`
    kRatio,    // counter kRatio is at least `bound`; counter kLimit is the limit
    kFaster,   // seconds, fewer than those of counter kLimit
    kLess,     // less than counter kLimit
  };

  std::string what;
  std::string benchmark;
  std::string counter;
  std::string unit;
  Kind kind = Kind::kNone;
  double bound = 0;
};

// Names of counters.
inline constexpr char kCpuTime[] = "CPU ns";  // of an iteration; it needs no counter
inline constexpr char kOurs[] = "ours";
inline constexpr char kLimit[] = "limit";
inline constexpr char kRatio[] = "ratio";

// A folder of its own for a benchmark's data, which goes with it.
class ScratchFolder {
 public:
  explicit ScratchFolder(std::string path);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  const std::string path_;
};

class Suite {
 public:
  using Body = std::function<absl::Status(benchmark::State&)>;

  explicit Suite(BenchOptions options) : options_(std::move(options)) {}
  const BenchOptions& options() const { return options_; }

  // Registers a benchmark under the name "group/..." which fails with the body's status.
  benchmark::internal::Benchmark* Add(const std::string& name, Body body);
  void Expect(Goal goal) { goals_.push_back(std::move(goal)); }
  const std::vector<Goal>& goals() const { return goals_; }

  // Returns what the benchmarks of a group share. `make` is called for the first of them that runs; it goes when one of
  // another group begins.
  template <typename T>
  absl::StatusOr<std::shared_ptr<T>> Shared(const std::function<absl::StatusOr<std::shared_ptr<T>>()>& make) {
    if (const auto* shared = std::any_cast<std::shared_ptr<T>>(&shared_)) return *shared;
    absl::StatusOr<std::shared_ptr<T>> made = make();
    if (made.ok()) shared_ = *made;
    return made;
  }

 private:
  const BenchOptions options_;
  std::vector<Goal> goals_;
  std::string group_;  // the running benchmark's
  std::any shared_;
};

// Runs two ways of doing the same in turns, one turn in each iteration. `ours` and `limit` return a rate; counters
// kOurs, kLimit and kRatio are the medians of the turns' rates and ratios.
using Turn = std::function<absl::StatusOr<double>(int turn)>;
absl::Status CompareInTurns(benchmark::State& state, const Turn& limit, const Turn& ours);

// Each adds one group.
void AddKeys(Suite* suite);         // row keys by design
void AddRegion(Suite* suite);       // against raw RocksDB
void AddFilters(Suite* suite);      // seeking filters against the same without seeks
void AddBalancer(Suite* suite);     // plans of a large cluster
void AddSplit(Suite* suite);        // the longest request of a client beside a split
void AddMoves(Suite* suite);        // beside a move; a recovery
void AddGrpc(Suite* suite);         // clients of a server process
void AddStart(Suite* suite);        // start, memory, many regions
void AddManyRegions(Suite* suite);  // a server with up to 3,000 regions, against raw RocksDB
void AddHotRows(Suite* suite);      // rows with many dead versions
void AddMeta(Suite* suite);         // hbase:meta of many regions
void AddHeat(Suite* suite);         // the console's counting of requests by key

}  // namespace vaquita::bench

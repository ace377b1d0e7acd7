#include "bench/suite.h"

#include <filesystem>

#include "base/status.h"
#include "bench/bench_data.h"

namespace vaquita::bench {

ScratchFolder::ScratchFolder(std::string path) : path_(std::move(path)) { std::filesystem::create_directories(path_); }

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

benchmark::internal::Benchmark* Suite::Add(const std::string& name, Body body) {
  const std::string group = name.substr(0, name.find('/'));
  const auto run = [this, group, body = std::move(body)](benchmark::State& state) {
    if (std::exchange(group_, group) != group) shared_.reset();
    const absl::Status status = body(state);
    if (!status.ok()) state.SkipWithError(status.ToString().c_str());
  };
  return benchmark::RegisterBenchmark(name.c_str(), run);
}

absl::Status CompareInTurns(benchmark::State& state, const Turn& limit, const Turn& ours) {
  std::vector<double> our_rates, limits, ratios;
  for (auto _ : state) {
    const int turn = static_cast<int>(ratios.size());
    VAQUITA_ASSIGN_OR_RETURN(const double limit_rate, limit(turn));
    VAQUITA_ASSIGN_OR_RETURN(const double our_rate, ours(turn));
    our_rates.push_back(our_rate);
    limits.push_back(limit_rate);
    ratios.push_back(our_rate / limit_rate);
  }
  state.counters[kOurs] = Median(our_rates);
  state.counters[kLimit] = Median(limits);
  state.counters[kRatio] = Median(ratios);
  return absl::OkStatus();
}

}  // namespace vaquita::bench

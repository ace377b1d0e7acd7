// vaquita_bench: prints Vaquita's figures beside their limits, and exits 1 when a goal is missed or a benchmark fails.
// With flags of Google Benchmark, --benchmark_..., it does what programs made with that do.
#include <benchmark/benchmark.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string_view>

#include "CLI/CLI.hpp"
#include "absl/strings/str_join.h"
#include "bench/figures.h"
#include "bench/suite.h"

namespace vaquita::bench {
namespace {

using AddGroup = void (*)(Suite*);
const std::pair<const char*, AddGroup> kGroups[] = {
    {"keys", AddKeys},        {"region", AddRegion}, {"filters", AddFilters}, {"balancer", AddBalancer},
    {"split", AddSplit},      {"moves", AddMoves},   {"grpc", AddGrpc},       {"start", AddStart},
    {"many", AddManyRegions}, {"meta", AddMeta},     {"hot", AddHotRows},     {"heat", AddHeat}};

int RunGroups(const std::vector<std::string>& groups, BenchOptions options, bool for_google) {
  std::string folder = (std::filesystem::temp_directory_path() / "vaquita-bench-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) {
    perror(folder.c_str());
    return 1;
  }
  const ScratchFolder all_data(folder);
  options.folder = folder;
  Suite suite(options);
  for (const auto& [name, add] : kGroups) {
    if (groups.empty() || std::find(groups.begin(), groups.end(), name) != groups.end()) add(&suite);
  }
  if (for_google) {
    benchmark::RunSpecifiedBenchmarks();
    return 0;
  }
  ResultCollector results;
  benchmark::RunSpecifiedBenchmarks(&results);
  return results.PrintFigures(suite.goals()) ? 0 : 1;
}

}  // namespace
}  // namespace vaquita::bench

int main(int argc, char** argv) {
  const bool for_google =
      std::any_of(argv, argv + argc, [](std::string_view argument) { return argument.starts_with("--benchmark_"); });
  benchmark::Initialize(&argc, argv);  // takes its flags away
  CLI::App app(
      "Vaquita's figures, each beside its limit measured in the same run. Flags of Google Benchmark "
      "(--benchmark_filter=, "
      "--benchmark_format=json, --benchmark_list_tests, ...) print its results instead.");
  vaquita::bench::BenchOptions options;
  std::vector<std::string> groups;
  options.server = (std::filesystem::canonical("/proc/self/exe").parent_path() / "vaquita").string();
  app.add_option("group", groups,
                 "keys, region, filters, balancer, split, moves, grpc, start, many, meta, hot, heat; all without")
      ->check(CLI::IsMember(
          {"keys", "region", "filters", "balancer", "split", "moves", "grpc", "start", "many", "meta", "hot", "heat"}));
  app.add_option("--rows", options.rows, "rows of the region benchmarks; gRPC writes a fifth")->capture_default_str();
  app.add_option("--server", options.server, "the vaquita binary")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  return vaquita::bench::RunGroups(groups, options, for_google);
}

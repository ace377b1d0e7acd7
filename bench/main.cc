// vaquita_bench: prints Vaquita's figures beside their limits. Exits 1 when a goal is missed or a benchmark fails.
#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>

#include "CLI/CLI.hpp"
#include "absl/strings/str_format.h"
#include "bench/figures.h"

namespace vaquita::bench {
namespace {

using Bench = absl::Status (*)(const BenchOptions&, Figures*);
const std::pair<const char*, Bench> kBenches[] = {
    {"keys", BenchKeys},   {"region", BenchRegion}, {"filters", BenchFilters}, {"balancer", BenchBalancer},
    {"split", BenchSplit}, {"moves", BenchMoves},   {"grpc", BenchGrpc},       {"start", BenchStart}};

void Print(const Figures& figures) {
  absl::PrintF("%-46s %-30s %-34s %-16s\n", "what", "measured", "limit", "goal");
  for (const Figure& f : figures)
    absl::PrintF("%-46s %-30s %-34s %-16s%s\n", f.what, f.measured, f.limit, f.goal, f.met ? "" : "  MISSED");
}

int Run(const std::vector<std::string>& names, BenchOptions options) {
  std::string folder = (std::filesystem::temp_directory_path() / "vaquita-bench-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return 1;
  Figures figures;
  bool ok = true;
  for (const auto& [name, bench] : kBenches) {
    if (!names.empty() && std::find(names.begin(), names.end(), name) == names.end()) continue;
    options.folder = folder + "/" + name;
    std::filesystem::create_directory(options.folder);
    const absl::Status status = bench(options, &figures);
    if (!status.ok()) absl::FPrintF(stderr, "%s: %s\n", name, status.ToString());
    ok = ok && status.ok();
    std::filesystem::remove_all(options.folder);
  }
  std::filesystem::remove_all(folder);
  Print(figures);
  for (const Figure& figure : figures) ok = ok && figure.met;
  return ok ? 0 : 1;
}

}  // namespace
}  // namespace vaquita::bench

int main(int argc, char** argv) {
  CLI::App app("Vaquita's figures, each beside its limit measured in the same run");
  vaquita::bench::BenchOptions options;
  std::vector<std::string> names;
  options.server = (std::filesystem::canonical("/proc/self/exe").parent_path() / "vaquita").string();
  app.add_option("benchmark", names, "keys, region, filters, balancer, split, moves, grpc, start; all without")
      ->check(CLI::IsMember({"keys", "region", "filters", "balancer", "split", "moves", "grpc", "start"}));
  app.add_option("--rows", options.rows, "rows of the region benchmark; gRPC writes a fifth")->capture_default_str();
  app.add_option("--server", options.server, "the vaquita binary")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  return vaquita::bench::Run(names, options);
}

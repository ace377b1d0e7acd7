#include <cstdio>
#include <set>

#include "absl/strings/str_cat.h"
#include "base/duration_text.h"
#include "base/status.h"
#include "tools/bench/bench_command.h"
#include "tools/bench/cluster_run.h"
#include "tools/bench/output_file.h"
#include "tools/bench/run_record.h"
#include "tools/bench/run_text.h"
#include "tools/bench/workload.h"

namespace vaquita::bench {
namespace {

constexpr double kDefaultSeconds = 30;

absl::StatusOr<double> Seconds(const std::string& text, const char* option) {
  const absl::StatusOr<int64_t> ms = ParseDurationMs(text);
  if (!ms.ok()) return absl::InvalidArgumentError(absl::StrCat(option, ": ", ms.status().message()));
  return static_cast<double>(*ms) / 1000;
}

absl::StatusOr<Workload> ReadWorkload(const BenchArguments& arguments) {
  if (arguments.workload.empty()) {
    return absl::InvalidArgumentError("no workload: give --workload a, for example; `vaquita bench list` has all");
  }
  VAQUITA_ASSIGN_OR_RETURN(Workload workload, FindWorkload(arguments.workload));
  for (const std::string& property : arguments.properties) {
    const size_t equals = property.find('=');
    if (equals == std::string::npos) {
      return absl::InvalidArgumentError(absl::StrCat("-p ", property, ": must be NAME=VALUE"));
    }
    VAQUITA_RETURN_IF_ERROR(workload.Set(property.substr(0, equals), property.substr(equals + 1)));
  }
  const auto set = [&](const char* property, double value) {
    return value > 0 ? workload.Set(property, ExactText(value)) : absl::OkStatus();
  };
  if (arguments.rows > 0) VAQUITA_RETURN_IF_ERROR(workload.Set("recordcount", absl::StrCat(arguments.rows)));
  if (!arguments.duration.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(const double seconds, Seconds(arguments.duration, "--duration"));
    workload.operations = 0;  // the command's own
    VAQUITA_RETURN_IF_ERROR(set("maxexecutiontime", seconds));
  }
  if (arguments.operations > 0) {
    VAQUITA_RETURN_IF_ERROR(workload.Set("operationcount", absl::StrCat(arguments.operations)));
  }
  VAQUITA_RETURN_IF_ERROR(set("threadcount", arguments.threads));
  VAQUITA_RETURN_IF_ERROR(set("target", arguments.rate));
  if (workload.operations == 0 && workload.seconds == 0) workload.seconds = kDefaultSeconds;
  VAQUITA_RETURN_IF_ERROR(workload.Validate());
  return workload;
}

// Returns the clusters by their labels, in the order in which they were given.
absl::StatusOr<std::vector<ClusterOptions>> ReadClusters(const BenchArguments& arguments) {
  if (arguments.addresses.empty()) {
    return absl::InvalidArgumentError("no cluster: give --address HOST:PORT or --address hbase://HOST[:2181]");
  }
  ClusterOptions usual;
  usual.old_table = arguments.reuse ? OldTable::kReuse : arguments.recreate ? OldTable::kRecreate : OldTable::kRefuse;
  usual.connections = arguments.connections;
  usual.seed = arguments.seed;
  usual.verify = arguments.verify;
  if (!arguments.warmup.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(usual.warmup_s, Seconds(arguments.warmup, "--warmup"));
  }
  std::vector<ClusterOptions> clusters;
  std::set<std::string> labels;
  for (const std::string& given : arguments.addresses) {
    const size_t equals = given.find('=');
    ClusterOptions& cluster = clusters.emplace_back(usual);
    cluster.address = equals == std::string::npos ? given : given.substr(equals + 1);
    cluster.label = given.substr(0, equals);
    if (!labels.insert(cluster.label).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("--address ", given, ": two clusters are called ", cluster.label, "; name them: NAME=ADDRESS"));
    }
  }
  for (const std::string& given : arguments.https) {
    const size_t equals = given.find('=');
    const std::string label = equals == std::string::npos ? clusters[0].label : given.substr(0, equals);
    if ((equals == std::string::npos && clusters.size() > 1) || !labels.contains(label)) {
      return absl::InvalidArgumentError(
          absl::StrCat("--http ", given, ": must be NAME=HOST:PORT, with an address's name"));
    }
    for (ClusterOptions& cluster : clusters) {
      if (cluster.label == label) cluster.https.push_back(given.substr(equals == std::string::npos ? 0 : equals + 1));
    }
  }
  return clusters;
}

// Returns an error that says how many operations failed, and answers were wrong.
absl::Status Verdict(const std::vector<RunRecord>& runs) {
  uint64_t failed = 0;
  uint64_t wrong = 0;
  for (const RunRecord& run : runs) {
    failed += run.All().failed;
    wrong += run.wrong;
  }
  if (failed + wrong == 0) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(failed, " operations failed, ", wrong, " answers were wrong"));
}

}  // namespace

absl::Status RunBench(const BenchArguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const Workload workload, ReadWorkload(arguments));
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<ClusterOptions> options, ReadClusters(arguments));
  // A path that cannot be written is better known before an hour of measurement.
  if (!arguments.output.empty()) VAQUITA_RETURN_IF_ERROR(CheckWritable(arguments.output));
  std::vector<std::unique_ptr<ClusterRun>> clusters;
  for (const ClusterOptions& one : options) {
    VAQUITA_ASSIGN_OR_RETURN(clusters.emplace_back(), ClusterRun::Prepare(&workload, one));
  }
  std::vector<RunRecord> runs;
  for (int round = 1; round <= arguments.rounds; ++round) {
    for (const std::unique_ptr<ClusterRun>& cluster : clusters) {
      VAQUITA_ASSIGN_OR_RETURN(runs.emplace_back(), cluster->Run(round));
      std::printf("%s%s", runs.size() > 1 ? "\n" : "", RunText(runs.back()).c_str());
      std::fflush(stdout);
      if (!arguments.output.empty()) VAQUITA_RETURN_IF_ERROR(WriteFile(arguments.output, ToJson(runs)));
    }
  }
  if (arguments.drop) {
    for (const std::unique_ptr<ClusterRun>& cluster : clusters) VAQUITA_RETURN_IF_ERROR(cluster->Drop());
  }
  return Verdict(runs);
}

}  // namespace vaquita::bench

#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "client/connection.h"
#include "lab/report/emulation_picture.h"
#include "lab/report/emulation_report.h"
#include "lab/report/heat_map_picture.h"
#include "tools/lab/design_input.h"
#include "tools/lab/emulation_check.h"
#include "tools/lab/emulation_input.h"
#include "tools/lab/lab_command.h"
#include "tools/lab/live_counts.h"
#include "tools/lab/live_run.h"
#include "tools/lab/output_file.h"
#include "tools/lab/split_input.h"
#include "tools/lab/verbs.h"
#include "tools/progress/progress_bar.h"

namespace vaquita {
namespace {

struct EmulateOptions {
  std::string design;
  DesignInput records;
  SplitInput splits;
  EmulationInput emulation;
  std::string format = "text";
  std::vector<std::string> outputs;
  int most_regions = 20;
  // A live run beside the emulation
  std::string against;   // the table that it creates
  std::string counters;  // http://host:port of the region server's info port
  double tolerance = 0;  // in percent; 0: any difference is allowed
};

// The forms of a result, by the endings of the files that hold them; text.txt and so on are the formats' names, too.
absl::StatusOr<std::string> Formatted(const lab::EmulationReport& report, const std::string& name, int most_regions) {
  const auto is = [&](const char* ending) { return absl::EndsWith(name, ending); };
  if (is("servers.csv")) return lab::EmulationServersCsv(report);
  if (is("timeline.csv")) return lab::EmulationTimelineCsv(report);
  if (is("csv")) return lab::EmulationRegionsCsv(report);
  if (is("servers.svg")) return lab::HeatMapSvg(lab::ServerHeatMap(report));
  if (is("servers.png")) return lab::HeatMapPng(lab::ServerHeatMap(report));
  if (is("png")) return lab::TimelinePng(report);
  if (is("svg")) return lab::TimelineSvg(report);
  if (is("json")) return lab::EmulationJson(report);
  if (is("html")) return lab::EmulationHtml(report);
  if (is("text") || is("txt")) return lab::EmulationText(report, most_regions);
  return absl::InvalidArgumentError(
      absl::StrCat("unknown format '", name,
                   "'; use text, json, csv (of regions), servers.csv, timeline.csv, svg (the time line), "
                   "servers.svg (a heat map), png, servers.png or html"));
}

// Returns the splits that were asked for, or the example's, or one region.
absl::StatusOr<lab::SplitKeys> StartingSplits(const SplitInput& input, const RecordInput& records,
                                              const std::string& name, const lab::KeyDesign& design) {
  const lab::ExampleDesign* example = records.DesignOfExample(name);
  const bool asked = (example != nullptr && !example->splits.empty()) || input.regions > 0 ||
                     input.method != "sample" || !input.file.empty() || !input.table.empty() ||
                     !input.keys_file.empty();
  return asked ? MakeSplits(input, &records, &design) : lab::SplitKeys();
}

absl::StatusOr<std::unique_ptr<LiveCounter>> OpenCounter(const EmulateOptions& options,
                                                         const lab::EmulationReport& report) {
  constexpr std::string_view kHttp = "http://";
  if (!absl::StartsWith(options.counters, AbslText(kHttp))) {
    return absl::InvalidArgumentError(
        "--counters is needed: the region server's info port, which counts its flushes, as http://HOST:PORT (16030)");
  }
  const std::string address = options.counters.substr(kHttp.size());
  if (report.cluster.system == lab::EmulatedSystem::kHBase) return CountHBase(address);
  return CountVaquita(address, static_cast<int>(report.load.families.size()));
}

// Runs the load on the cluster at --address or --quorum. Returns an error if the results differ by more than allowed.
absl::Status RunAgainst(const EmulateOptions& options, const lab::EmulationReport& report, const lab::KeySample& sample,
                        const lab::SplitKeys& splits) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableName::Parse(options.against));
  VAQUITA_ASSIGN_OR_RETURN(const auto cluster, options.splits.live.Connect());
  VAQUITA_ASSIGN_OR_RETURN(const auto counter, OpenCounter(options, report));
  absl::StatusOr<LiveRun> live;
  {
    ProgressBar progress("write", sample.size());
    live = RunLive(cluster.get(), table, report.load, sample, splits, counter.get(), progress.Callback());
  }
  VAQUITA_RETURN_IF_ERROR(live.status());
  if (live->load_ms > report.load.duration_ms * 1.1) {
    std::fprintf(stderr, "the cluster took %.1f s for a load of %.1f s, so it is slower than the emulated one\n",
                 live->load_ms / 1000, report.load.duration_ms / 1000);
  }
  const std::vector<CheckedNumber> numbers = CheckEmulation(report.emulation, *live);
  VAQUITA_RETURN_IF_ERROR(
      WriteOutput("", options.format == "json" ? EmulationCheckJson(numbers) : "\n" + EmulationCheckText(numbers)));
  for (const CheckedNumber& number : numbers) {
    if (options.tolerance <= 0 || !number.answers_for || std::abs(number.Difference()) * 100 <= options.tolerance)
      continue;
    return absl::OutOfRangeError(absl::StrFormat("%s: %.0f emulated, %.0f live: off by more than %g%%", number.name,
                                                 number.emulated, number.live, options.tolerance));
  }
  return absl::OkStatus();
}

// Returns the number of the run's records that represent the load: all, if that number was given; else as many as the
// load has.
double RunOfLoad(const EmulateOptions& options, const RecordInput& records, const lab::EmulatedLoad& load) {
  const bool said = options.records.rows > 0 || records.example() != nullptr;
  return said ? static_cast<double>(records.rows()) : load.records;
}

absl::Status RunEmulation(const EmulateOptions& options) {
  VAQUITA_ASSIGN_OR_RETURN(const RecordInput records, RecordInput::Open(options.records));
  VAQUITA_ASSIGN_OR_RETURN(const lab::KeyDesign design, records.ParseDesign(options.design));
  VAQUITA_ASSIGN_OR_RETURN(const lab::SplitKeys splits,
                           StartingSplits(options.splits, records, options.design, design));
  VAQUITA_ASSIGN_OR_RETURN(LoadKeys keys, LoadKeys::Open(records, design));

  lab::EmulationReport report{.design = options.design};
  VAQUITA_ASSIGN_OR_RETURN(report.cluster, MakeCluster(options.emulation));
  VAQUITA_ASSIGN_OR_RETURN(report.mean_key_bytes, keys.MeanKeyBytes(static_cast<double>(records.rows())));
  VAQUITA_ASSIGN_OR_RETURN(report.load, MakeLoad(options.emulation, report.cluster, records.rows(),
                                                 report.mean_key_bytes, records.DesignOfExample(options.design)));
  VAQUITA_ASSIGN_OR_RETURN(
      const lab::KeySample sample,
      keys.Sample(options.emulation.points, RunOfLoad(options, records, report.load), options.records.stop_at_bad_row));
  report.mean_key_bytes = sample.mean_key_bytes();
  // Records without a key are not written. A volume is that of those that are.
  if (options.emulation.volume_bytes == 0) report.load.records *= keys.share_with_key();
  {
    ProgressBar progress("records", static_cast<uint64_t>(report.load.records));
    VAQUITA_ASSIGN_OR_RETURN(report.emulation,
                             lab::Emulate(report.cluster, report.load, sample, splits, [&](double share) {
                               progress.Show(static_cast<uint64_t>(share * report.load.records));
                             }));
  }
  for (const std::string& path : options.outputs) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string text, Formatted(report, path, options.most_regions));
    VAQUITA_RETURN_IF_ERROR(WriteOutput(path, text));
  }
  if (options.against.empty() || options.format != "json") {
    VAQUITA_ASSIGN_OR_RETURN(const std::string text, Formatted(report, options.format, options.most_regions));
    VAQUITA_RETURN_IF_ERROR(WriteOutput("", text));
  }
  return options.against.empty() ? absl::OkStatus() : RunAgainst(options, report, sample, splits);
}

}  // namespace

void AddEmulateCommand(LabCommand* lab) {
  auto options = std::make_shared<EmulateOptions>();
  CLI::App* command = lab->AddVerb("emulate", "Emulate HBase's region servers under a design's load",
                                   [options] { return RunEmulation(*options); });
  AddDesignOption(command, &options->design)->required();
  AddRecordOptions(command, &options->records);
  AddSplitOptions(command, &options->splits);
  AddEmulationOptions(command, &options->emulation);
  command
      ->add_option("--format", options->format,
                   "Format of stdout: text, json, csv (of regions), servers.csv, timeline.csv, svg, servers.svg, png, "
                   "servers.png or html")
      ->check(CLI::IsMember(
          {"text", "json", "csv", "servers.csv", "timeline.csv", "svg", "servers.svg", "png", "servers.png", "html"}))
      ->capture_default_str();
  AddOutputs(command, "Also write a file, in the format that its name ends in; see --format",
             {"text", "json", "csv", "svg", "png", "html"}, &options->outputs);
  command->add_option("--against", options->against,
                      "Also write the load to a new table of this name on the cluster at --address or "
                      "--quorum, and show both; its servers need the site's settings");
  command->add_option("--counters", options->counters,
                      "The info port of that cluster's region server, which counts its flushes: http://HOST:PORT");
  command->add_option("--tolerance", options->tolerance,
                      "Fail if regions, splits or flushes differ by more than this many percent");
  command->add_option("--list", options->most_regions, "The number of regions that the text lists")
      ->capture_default_str();
}

}  // namespace vaquita

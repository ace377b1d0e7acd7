#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "base/json_value.h"
#include "base/status.h"
#include "lab/report/design_comparison.h"
#include "lab/report/xml_text.h"
#include "lab/splits/design_splits.h"
#include "tools/lab/design_input.h"
#include "tools/lab/lab_command.h"
#include "tools/lab/live_cluster.h"
#include "tools/lab/live_comparison.h"
#include "tools/lab/output_file.h"
#include "tools/lab/read_input.h"
#include "tools/lab/verbs.h"
#include "tools/progress/long_work.h"
#include "tools/progress/progress_bar.h"

namespace vaquita {
namespace {

struct CompareOptions {
  std::vector<std::string> designs;
  DesignInput records;
  ReadInput reads;
  LiveCluster live;
  uint64_t live_rows = 20'000;
  uint64_t live_scans = 20;
  int live_rounds = 3;
  uint64_t value_bytes = 100;
  int regions = 10;
  std::string format = "text";
  std::vector<std::string> outputs;
};

constexpr size_t kMostDesigns = 26;

std::string NameOf(size_t design) { return std::string(1, static_cast<char>('A' + design)); }

// Measures the designs in turns, so that none of them pays for the warm-up of a server's JVM and caches. The whole run
// is too long to be written to a running cluster.
absl::StatusOr<std::vector<LiveFigures>> Measure(const CompareOptions& options,
                                                 const std::vector<lab::KeyDesign>& designs,
                                                 const lab::LookupTables& tables,
                                                 std::shared_ptr<const lab::RecordSet> all,
                                                 const lab::ReadLoad& reads) {
  const lab::FirstRecords records(std::move(all), options.live_rows);
  VAQUITA_ASSIGN_OR_RETURN(const auto connection, options.live.Connect());
  LiveLoad load{.value_bytes = options.value_bytes,
                .scans = options.live_scans,
                .pattern = reads.pattern,
                .scan = reads.scan,
                .seed = options.records.seed};
  if (reads.reads > 0) load.gets = reads.reads;
  std::vector<lab::SplitKeys> splits(designs.size());
  for (size_t i = 0; i < designs.size(); ++i) {
    VAQUITA_ASSIGN_OR_RETURN(splits[i], lab::SplitsOfDesign(records, designs[i], options.regions));
  }
  std::vector<std::vector<LiveFigures>> rounds(designs.size());
  for (int round = 1; round <= options.live_rounds; ++round) {
    for (size_t i = 0; i < designs.size(); ++i) {
      ProgressBar progress(absl::StrCat("writing ", NameOf(i), ", round ", round), records.size());
      VAQUITA_ASSIGN_OR_RETURN(auto measured, MeasureDesign(connection.get(), NameOf(i), designs[i], tables, records,
                                                            splits[i], load, progress.Callback()));
      rounds[i].push_back(std::move(measured));
    }
  }
  std::vector<LiveFigures> medians;
  for (const auto& measured : rounds) medians.push_back(MedianOf(measured));
  return medians;
}

// The results of all designs. `measured` is empty without a cluster.
struct Comparison {
  lab::ComparedLoad load;
  std::vector<lab::DesignFigures> simulated;
  std::vector<LiveFigures> measured;

  std::string MeasuredText() const { return measured.empty() ? "" : LiveText(measured, load.scan.has_value()); }
};

std::string ComparisonJson(const Comparison& comparison) {
  Json json = lab::ComparisonJson(comparison.simulated, comparison.load);
  for (size_t i = 0; i < comparison.measured.size(); ++i) {
    json[i]["measured"] = LiveJson(comparison.measured[i], comparison.load.scan.has_value());
  }
  return IndentedJsonText(json) + "\n";
}

std::string Formatted(const Comparison& comparison, const std::string& format) {
  if (format == "json") return ComparisonJson(comparison);
  const std::string measured = comparison.MeasuredText();
  if (format == "html") {
    return lab::ComparisonHtml("Row keys side by side", "", comparison.simulated, comparison.load,
                               measured.empty() ? "" : "<pre>" + lab::XmlText(measured) + "</pre>\n");
  }
  return lab::ComparisonText(comparison.simulated, comparison.load) + (measured.empty() ? "" : "\n" + measured);
}

absl::Status Compare(const CompareOptions& options) {
  if (options.designs.size() > kMostDesigns) {
    return absl::InvalidArgumentError(absl::StrCat(options.designs.size(), " designs; at most ", kMostDesigns));
  }
  VAQUITA_ASSIGN_OR_RETURN(const RecordInput input, RecordInput::Open(options.records));
  VAQUITA_ASSIGN_OR_RETURN(const lab::ReadLoad reads,
                           MakeReadLoad(options.reads, input.schema(), options.records.seed));
  std::vector<lab::KeyDesign> designs;
  for (const std::string& expression : options.designs) {
    VAQUITA_ASSIGN_OR_RETURN(auto design, input.ParseDesign(expression));
    designs.push_back(std::move(design));
  }
  VAQUITA_ASSIGN_OR_RETURN(const std::shared_ptr<const lab::RecordSet> records, input.Records());

  Comparison comparison{.load = {.pattern = reads.pattern,
                                 .scan = reads.scan,
                                 .scan_name = ScanName(options.reads),
                                 .run_records = input.rows()},
                        .simulated = {},
                        .measured = {}};
  if (reads.reads > 0) comparison.load.gets = comparison.load.scans = reads.reads;
  auto work = std::make_optional<LongWork>("simulating the designs");
  for (size_t i = 0; i < designs.size(); ++i) {
    VAQUITA_ASSIGN_OR_RETURN(const auto splits, lab::SplitsOfDesign(*records, designs[i], options.regions));
    VAQUITA_ASSIGN_OR_RETURN(
        auto simulated, lab::SimulateDesign(NameOf(i), designs[i], input.lookups(), *records, splits, comparison.load));
    comparison.simulated.push_back(std::move(simulated));
  }
  work.reset();
  const bool at_once = options.format == "text" && options.live.IsSet();  // measuring takes long
  if (at_once) {
    VAQUITA_RETURN_IF_ERROR(WriteOutput("", lab::ComparisonText(comparison.simulated, comparison.load)));
  }
  if (options.live.IsSet()) {
    VAQUITA_ASSIGN_OR_RETURN(comparison.measured, Measure(options, designs, input.lookups(), records, reads));
  }
  VAQUITA_RETURN_IF_ERROR(
      WriteOutput("", at_once ? "\n" + comparison.MeasuredText() : Formatted(comparison, options.format)));
  return WriteOutputs(options.outputs, [&](const std::string& format) { return Formatted(comparison, format); });
}

}  // namespace

void AddCompareCommand(LabCommand* lab) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command =
      lab->AddVerb("compare", "Compare row key designs side by side: simulated, and measured on a cluster",
                   [options] { return Compare(*options); });
  command
      ->add_option("designs", options->designs,
                   "Expressions over the same fields, or the names of an example's designs")
      ->required();
  AddRecordOptions(command, &options->records);
  AddReadOptions(command, &options->reads);
  command->add_option("--regions", options->regions, "The number of regions of each design's table")
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str();
  AddLiveOptions(command, &options->live);
  command->add_option("--live-rows", options->live_rows, "The number of rows to write to the cluster, for each design")
      ->capture_default_str();
  command->add_option("--live-scans", options->live_scans, "The number of scans to measure there")
      ->capture_default_str();
  command->add_option("--live-rounds", options->live_rounds, "The number of rounds, in turns; the medians are shown")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--value-bytes", options->value_bytes, "The size of each row's one cell")->capture_default_str();
  AddFormatOptions(command, &options->format, &options->outputs);
}

}  // namespace vaquita

#include <unistd.h>

#include <cstdio>
#include <memory>
#include <optional>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "lab/design/duplicate_keys.h"
#include "lab/report/heat_map_picture.h"
#include "lab/report/simulation_report.h"
#include "tools/lab/design_input.h"
#include "tools/lab/lab_command.h"
#include "tools/lab/output_file.h"
#include "tools/lab/read_input.h"
#include "tools/lab/split_input.h"
#include "tools/lab/verbs.h"
#include "tools/progress/long_work.h"
#include "tools/progress/progress_bar.h"

namespace vaquita {
namespace {

struct SimulateOptions {
  std::string design;
  DesignInput records;
  SplitInput splits;
  ReadInput reads;
  lab::SimulationOptions simulation;
  uint64_t checked_keys = 1'000'000;
  std::string format = "text";
  std::vector<std::string> outputs;
  bool heat_map = false;
};

absl::StatusOr<std::string> Formatted(const lab::SimulationReport& report, const std::string& format) {
  if (format == "text") return lab::ReportText(report);
  if (format == "report") return lab::ReportLines(report);
  if (format == "json") return lab::ReportJson(report);
  if (format == "csv") return lab::ReportCsv(report);
  if (format == "svg") return lab::HeatMapSvg(report.reads ? lab::ReadHeatMap(report) : lab::WriteHeatMap(report));
  if (format == "png") return lab::HeatMapPng(report.reads ? lab::ReadHeatMap(report) : lab::WriteHeatMap(report));
  if (format == "html") return lab::ReportHtml(report);
  return absl::InvalidArgumentError(
      absl::StrCat("unknown format '", format, "'; use text, report, json, csv, svg, png or html"));
}

// Reports records that hide one another, or stops the run if that was asked for.
absl::Status CheckKeys(const SimulateOptions& options, const RecordInput& input, const lab::RecordSet& records,
                       const lab::KeyDesign& design) {
  if (options.checked_keys == 0) return absl::OkStatus();
  lab::DuplicateKeys duplicates;
  if (input.generator() != nullptr) {
    duplicates = lab::FindDuplicateKeys(records, design, options.checked_keys);
  } else {  // `records` are a sample
    VAQUITA_ASSIGN_OR_RETURN(const auto source, input.OpenSource());
    VAQUITA_ASSIGN_OR_RETURN(duplicates, lab::FindDuplicateKeys(source.get(), design, options.checked_keys));
  }
  if (duplicates.repeated == 0) return absl::OkStatus();
  if (options.records.stop_at_bad_row) return absl::InvalidArgumentError(duplicates.Text());
  std::fprintf(stderr, "%s\n", duplicates.Text().c_str());
  return absl::OkStatus();
}

absl::StatusOr<lab::WriteSimulation> SimulateRun(const SimulateOptions& options, const RecordInput& records,
                                                 const lab::KeyDesign& design, const lab::SplitKeys& splits) {
  ProgressBar progress("writes", records.rows());
  lab::SimulationOptions simulation = options.simulation;
  simulation.stop_at_bad_record = options.records.stop_at_bad_row;
  simulation.on_progress = progress.Callback();
  if (records.generator() != nullptr) {
    return lab::SimulateWrites(*records.generator(), design, splits, records.rows(), simulation);
  }
  VAQUITA_ASSIGN_OR_RETURN(const auto source, records.OpenSource());
  return lab::SimulateWrites(source.get(), design, splits, simulation);
}

void PrintHeatMaps(const lab::SimulationReport& report) {
  const lab::HeatMapTextOptions options{.color = isatty(STDOUT_FILENO) == 1};
  std::printf("\n%s", lab::HeatMapText(lab::WriteHeatMap(report), options).c_str());
  if (report.reads) std::printf("\n%s", lab::HeatMapText(lab::ReadHeatMap(report), options).c_str());
}

absl::Status Simulate(const SimulateOptions& options) {
  VAQUITA_ASSIGN_OR_RETURN(RecordInput records, RecordInput::Open(options.records));
  records.LeaveSkippedToRun();
  VAQUITA_ASSIGN_OR_RETURN(const lab::KeyDesign design, records.ParseDesign(options.design));
  VAQUITA_ASSIGN_OR_RETURN(const lab::ReadLoad load,
                           MakeReadLoad(options.reads, records.schema(), options.records.seed));
  auto work = std::make_optional<LongWork>("looking at the keys");
  VAQUITA_ASSIGN_OR_RETURN(const lab::SplitKeys splits, MakeSplits(options.splits, &records, &design));
  VAQUITA_ASSIGN_OR_RETURN(const auto set, records.Records());
  VAQUITA_RETURN_IF_ERROR(CheckKeys(options, records, *set, design));
  work.reset();

  VAQUITA_ASSIGN_OR_RETURN(lab::WriteSimulation writes, SimulateRun(options, records, design, splits));
  PrintSkipped(writes.skipped);
  if (writes.records == 0) return absl::InvalidArgumentError("no record has a key");
  lab::SimulationReport report{.design = design.expression(),
                               .splits = splits,
                               .starts = lab::ReadableStarts(design, splits),
                               .times = lab::TimeAxis::Of(*set, records.rows()),
                               .writes = std::move(writes)};
  if (load.reads > 0) {
    ProgressBar progress("reads", load.reads);
    lab::SimulationOptions simulation = options.simulation;
    simulation.on_progress = progress.Callback();
    VAQUITA_ASSIGN_OR_RETURN(
        report.reads, lab::SimulateReads(*set, records.rows(), design, records.lookups(), splits, load, simulation));
    report.read_description = ReadDescription(options.reads);
  }

  VAQUITA_ASSIGN_OR_RETURN(const std::string text, Formatted(report, options.format));
  VAQUITA_RETURN_IF_ERROR(WriteOutput("", text));
  if (options.format == "text" && (options.heat_map || isatty(STDOUT_FILENO) == 1)) PrintHeatMaps(report);
  return WriteOutputs(options.outputs, [&](const std::string& format) { return Formatted(report, format); });
}

}  // namespace

void AddSimulateCommand(LabCommand* lab) {
  auto options = std::make_shared<SimulateOptions>();
  CLI::App* command = lab->AddVerb("simulate", "Show which regions the requests of a row key design go to",
                                   [options] { return Simulate(*options); });
  AddDesignOption(command, &options->design)->required();
  AddRecordOptions(command, &options->records);
  AddSplitOptions(command, &options->splits);
  AddReadOptions(command, &options->reads);
  command->add_option("--slices", options->simulation.slices, "The number of columns of the heat map")
      ->check(CLI::Range(2, 1000))
      ->capture_default_str();
  command->add_option("--threads", options->simulation.threads, "The number of threads (as many as the machine has)");
  command->add_option("--check-keys", options->checked_keys, "Look for repeated keys in this many of the first records")
      ->capture_default_str();
  command
      ->add_option("--format", options->format,
                   "Format of stdout: text (a table), report (start key:requests:(ratio)), json, csv, svg, png or html")
      ->check(CLI::IsMember({"text", "report", "json", "csv", "svg", "png", "html"}))
      ->capture_default_str();
  AddOutputs(command, "Also write a file whose name ends in .txt, .report, .json, .csv, .svg, .png or .html",
             {"text", "report", "json", "csv", "svg", "png", "html"}, &options->outputs);
  command->add_flag("--heat-map", options->heat_map,
                    "Print the heat map as text blocks, even if stdout is not a terminal");
}

}  // namespace vaquita

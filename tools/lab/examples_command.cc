#include <memory>

#include "CLI/CLI.hpp"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_format.h"
#include "base/status.h"
#include "lab/design/example.h"
#include "lab/design/key_storage.h"
#include "lab/report/design_comparison.h"
#include "lab/report/table_text.h"
#include "model/region_info.h"
#include "tools/lab/design_input.h"
#include "tools/lab/lab_command.h"
#include "tools/lab/split_input.h"
#include "tools/lab/verbs.h"

namespace vaquita {
namespace {

constexpr int kShownKeys = 3;

struct ExamplesOptions {
  std::string name;
  uint64_t rows = 0;
  uint64_t seed = lab::RecordGenerator::kDefaultSeed;
};

absl::Status ListExamples() {
  for (const std::string_view name : lab::ExampleNames()) {
    VAQUITA_ASSIGN_OR_RETURN(const lab::Example example, lab::FindExample(name));
    absl::PrintF("%-24s %s\n", example.name, example.question);
  }
  absl::PrintF(
      "\nvaquita lab examples NAME runs one; the other verbs take its records and designs by --example NAME\n");
  return absl::OkStatus();
}

// Returns the storage of a design's rows: all cells of a row together, because records may share a row.
absl::StatusOr<lab::StorageSum> StorageOf(const lab::ExampleDesign& design, const lab::KeyDesign& key,
                                          const RecordInput& records) {
  std::optional<lab::KeyDesign> column;
  if (!design.column.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(column, records.ParseDesign(design.column));
  }
  lab::StorageSum sum;
  absl::flat_hash_set<uint64_t> rows;
  lab::RecordBuffer buffer;
  lab::CellShape shape = design.shape;
  std::string row, qualifier;
  for (uint64_t i = 0; i < records.rows(); ++i) {
    const lab::Record record = records.generator()->Generate(i, &buffer);
    row.clear();
    VAQUITA_RETURN_IF_ERROR(key.AppendKey(record, i, &row));
    if (column) {
      qualifier.clear();
      VAQUITA_RETURN_IF_ERROR(column->AppendKey(record, i, &qualifier));
      shape.qualifier_bytes = qualifier.size();
    }
    if (rows.insert(std::hash<std::string_view>()(row)).second) {
      sum.Add(row, shape);
    } else {
      sum.AddToRow(row, shape);
    }
  }
  return sum;
}

absl::Status PrintFirstKeys(const lab::ExampleDesign& design, const lab::KeyDesign& key, const RecordInput& records) {
  lab::RecordBuffer buffer;
  absl::PrintF("first keys of %s:", design.name);
  for (uint64_t i = 0; i < kShownKeys && i < records.rows(); ++i) {
    std::string row;
    VAQUITA_RETURN_IF_ERROR(key.AppendKey(records.generator()->Generate(i, &buffer), i, &row));
    absl::PrintF("%s %s", i == 0 ? "" : ",", ToStringBinary(row));
  }
  absl::PrintF("%s\n", design.column.empty() ? "" : "; the column is " + design.column);
  return absl::OkStatus();
}

std::vector<std::string> StorageLine(const std::string& name, const lab::StorageSum& sum) {
  return {name,
          absl::StrFormat("%d", sum.rows),
          absl::StrFormat("%d", sum.cells),
          absl::StrFormat("%.1f", static_cast<double>(sum.hbase_bytes) / sum.cells),
          absl::StrFormat("%.1f MB", sum.hbase_bytes / 1e6),
          absl::StrFormat("%.1f MB", sum.vaquita_bytes / 1e6)};
}

absl::Status RunDesigns(const lab::Example& example, const RecordInput& records) {
  VAQUITA_ASSIGN_OR_RETURN(const auto set, records.Records());
  std::vector<lab::DesignFigures> figures;
  std::vector<std::vector<std::string>> storage = {{"", "rows", "cells", "bytes a cell", "HBase", "Vaquita"}};
  const lab::ComparedLoad load;
  for (const lab::ExampleDesign& design : example.designs) {
    VAQUITA_ASSIGN_OR_RETURN(const lab::KeyDesign key, records.ParseDesign(design.name));
    VAQUITA_RETURN_IF_ERROR(PrintFirstKeys(design, key, records));
    VAQUITA_ASSIGN_OR_RETURN(const SplitInput input, ParseExampleSplits(design.splits));
    VAQUITA_ASSIGN_OR_RETURN(const lab::SplitKeys splits, MakeSplits(input, &records, &key));
    VAQUITA_ASSIGN_OR_RETURN(figures.emplace_back(),
                             lab::SimulateDesign(design.name, key, records.lookups(), *set, splits, load));
    if (!design.column.empty()) figures.back().repeated_keys = 0;  // records share rows without hiding one another
    VAQUITA_ASSIGN_OR_RETURN(const lab::StorageSum sum, StorageOf(design, key, records));
    storage.push_back(StorageLine(design.name, sum));
  }
  absl::PrintF("\n%s", lab::ComparisonText(figures, load));
  absl::PrintF("\nStorage, before compression and block encoding\n%s", lab::TableText(storage));
  return absl::OkStatus();
}

absl::Status RunExamples(const ExamplesOptions& options) {
  if (options.name.empty()) return ListExamples();
  VAQUITA_ASSIGN_OR_RETURN(const lab::Example example, lab::FindExample(options.name));
  const DesignInput input{.example = options.name, .rows = options.rows, .seed = options.seed};
  VAQUITA_ASSIGN_OR_RETURN(const RecordInput records, RecordInput::Open(input));
  absl::PrintF("%s\n\n%s\n\nrecords: %s, %d of them\n\n", example.question, example.about, example.records,
               records.rows());
  VAQUITA_RETURN_IF_ERROR(RunDesigns(example, records));
  absl::PrintF("\n%s\n", example.see);
  return absl::OkStatus();
}

}  // namespace

void AddExamplesCommand(LabCommand* lab) {
  auto options = std::make_shared<ExamplesOptions>();
  CLI::App* command =
      lab->AddVerb("examples", "List the built-in examples, or run one: a question, its data, its designs",
                   [options] { return RunExamples(*options); });
  command->add_option("name", options->name, "The example to run; without it, all are listed");
  command->add_option("--rows", options->rows, "The number of records (the example's)")->check(CLI::PositiveNumber);
  command->add_option("--seed", options->seed, "The seed of all random numbers: the same seed gives the same result")
      ->capture_default_str();
}

}  // namespace vaquita

#include "tools/lab/design_input.h"

#include <cstdio>
#include <utility>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "lab/records/csv_file.h"

namespace vaquita {
namespace {

constexpr uint64_t kDefaultRows = 1'000'000;
constexpr std::string_view kStandardInput = "-";

// Copies standard input to a file without a name, which disappears with the process.
absl::StatusOr<std::shared_ptr<std::FILE>> SpoolStandardInput() {
  const std::shared_ptr<std::FILE> file(std::tmpfile(), [](std::FILE* f) {
    if (f != nullptr) std::fclose(f);
  });
  if (file == nullptr) return absl::UnavailableError("no temporary file for standard input");
  std::vector<char> buffer(64 << 10);
  while (const size_t bytes = std::fread(buffer.data(), 1, buffer.size(), stdin)) {
    if (std::fwrite(buffer.data(), 1, bytes, file.get()) != bytes) {
      return absl::ResourceExhaustedError("standard input does not fit into a temporary file");
    }
  }
  if (std::ferror(stdin) != 0) return absl::DataLossError("standard input cannot be read to its end");
  if (std::fflush(file.get()) != 0) {
    return absl::ResourceExhaustedError("standard input does not fit into a temporary file");
  }
  return file;
}

}  // namespace

CLI::Option* AddDesignOption(CLI::App* command, std::string* design) {
  return command->add_option("design", *design, "An expression, or the name of an example's design; see docs/lab.md");
}

void AddRecordOptions(CLI::App* command, DesignInput* input) {
  auto* generate = command->add_option("--generate", input->generate,
                                       "Generated fields: 'id=sequence(), ts=time(2026-01-01, 1ms)'; see docs/lab.md");
  command
      ->add_option("--csv", input->csv, "Records from a CSV file whose first row names the fields; - is standard input")
      ->excludes(generate);
  command->add_option("--example", input->example,
                      "Records and designs of a built-in example; vaquita lab examples lists them");
  command->add_option("--lookup", input->lookups, "A table for lookup(): NAME=FILE, a CSV of name and value")
      ->allow_extra_args(false);
  command->add_option("--rows", input->rows, "The number of records to generate (1000000, or the example's)")
      ->check(CLI::PositiveNumber);
  command->add_option("--seed", input->seed, "The seed of all random numbers: the same seed gives the same result")
      ->capture_default_str();
  command->add_flag("--stop-at-bad-row", input->stop_at_bad_row,
                    "Stop at the first record that does not fit, instead of skipping it");
}

absl::StatusOr<RecordInput> RecordInput::Open(const DesignInput& input) {
  RecordInput records;
  records.input_ = input;
  if (!input.example.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(records.example_, lab::FindExample(input.example));
    records.lookups_ = records.example_->tables;
    if (input.generate.empty()) records.input_.generate = records.example_->records;
    if (input.rows == 0) records.input_.rows = records.example_->rows;
  }
  if (records.input_.rows == 0) records.input_.rows = kDefaultRows;
  if (records.input_.rows > kMostRunRows) {
    return absl::InvalidArgumentError(absl::StrCat("--rows ", records.input_.rows, ": at most ", kMostRunRows));
  }
  for (const std::string& lookup : input.lookups) {
    const size_t equals = lookup.find('=');
    if (equals == std::string::npos) {
      return absl::InvalidArgumentError(absl::StrCat("--lookup ", lookup, " is not NAME=FILE"));
    }
    VAQUITA_ASSIGN_OR_RETURN(lab::LookupTable table, lab::ReadLookupTable(lookup.substr(equals + 1)));
    records.lookups_[lookup.substr(0, equals)] = std::move(table);
  }
  if (!input.csv.empty()) {
    if (input.csv == kStandardInput) {
      VAQUITA_ASSIGN_OR_RETURN(records.spooled_, SpoolStandardInput());
    }
    VAQUITA_ASSIGN_OR_RETURN(const auto source, records.OpenSource());
    records.schema_ = source->schema();
    return records;
  }
  if (records.input_.generate.empty()) {
    return absl::InvalidArgumentError("no records: give --generate FIELDS, --csv FILE or --example NAME");
  }
  VAQUITA_ASSIGN_OR_RETURN(records.generator_, lab::RecordGenerator::Parse(records.input_.generate, input.seed));
  records.schema_ = records.generator_->schema();
  records.rows_ = records.input_.rows;
  return records;
}

absl::StatusOr<lab::KeyDesign> RecordInput::ParseDesign(const std::string& expression) const {
  const lab::ExampleDesign* named = DesignOfExample(expression);
  return lab::KeyDesign::Parse(named == nullptr ? expression : named->expression, schema_, lookups_, input_.seed);
}

absl::StatusOr<std::unique_ptr<lab::RecordSource>> RecordInput::OpenSource() const {
  if (spooled_ == nullptr) return lab::OpenCsvRecords(input_.csv);
  return lab::OpenCsvRecords(absl::StrCat("/proc/self/fd/", fileno(spooled_.get())), "standard input");
}

absl::StatusOr<std::unique_ptr<lab::RecordSet>> RecordInput::Records(uint64_t sampled) const {
  if (generator_) return std::make_unique<lab::GeneratedRecords>(*generator_, input_.rows);
  VAQUITA_ASSIGN_OR_RETURN(const auto source, OpenSource());
  auto records = std::make_unique<lab::SampledRecords>(schema_, sampled, input_.seed);
  lab::BadRecords skipped;
  for (;;) {
    const absl::StatusOr<std::optional<lab::Record>> record = source->Next();
    if (record.ok() && !record->has_value()) break;
    if (record.ok()) {
      records->Add(**record);
      continue;
    }
    if (input_.stop_at_bad_row || !lab::IsErrorOfOneRow(record.status())) return record.status();
    skipped.Add(record.status());
  }
  rows_ = records->seen();
  records->Sort();
  if (!has_told_skipped_ || records->size() == 0) PrintSkipped(skipped);
  has_told_skipped_ = true;  // the rows are the same at each pass
  if (records->size() == 0) {
    return absl::InvalidArgumentError(absl::StrCat(input_.csv, " has no records"));
  }
  return records;
}

void PrintSkipped(const lab::BadRecords& skipped) {
  if (skipped.count == 0) return;
  std::fprintf(stderr, "skipped %llu records that do not fit:\n", static_cast<unsigned long long>(skipped.count));
  for (const std::string& message : skipped.messages) std::fprintf(stderr, "  %s\n", message.c_str());
  if (skipped.count > skipped.messages.size()) std::fprintf(stderr, "  ...\n");
}

}  // namespace vaquita

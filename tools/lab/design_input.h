// tools/lab/design_input.h: the options of the laboratory's verbs for a design and its records.
//
// Records are generated (--generate), read from a CSV file (--csv), or taken from a built-in example (--example), whose
// designs have names. A file is read again for each pass over it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "lab/design/example.h"
#include "lab/design/key_design.h"
#include "lab/records/bad_records.h"
#include "lab/records/lookup_table.h"
#include "lab/records/record_generator.h"
#include "lab/records/record_set.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace vaquita {

// The most records, and reads, of a run: sums with a few more do not overflow.
inline constexpr uint64_t kMostRunRows = uint64_t{1} << 62;

struct DesignInput {
  std::string generate;
  std::string csv;  // "-": standard input
  std::string example;
  std::vector<std::string> lookups;  // NAME=FILE
  uint64_t rows = 0;                 // for a generator; 0: as many as the example has, or 1,000,000
  uint64_t seed = lab::RecordGenerator::kDefaultSeed;
  bool stop_at_bad_row = false;
};

// The design of a verb's keys, its first argument.
CLI::Option* AddDesignOption(CLI::App* command, std::string* design);
// --generate, --csv, --example, --lookup, --rows, --seed, --stop-at-bad-row.
void AddRecordOptions(CLI::App* command, DesignInput* input);

// The opened source of a verb's records.
class RecordInput {
 public:
  static absl::StatusOr<RecordInput> Open(const DesignInput& input);

  const lab::Schema& schema() const { return schema_; }
  const lab::LookupTables& lookups() const { return lookups_; }
  // Parses an expression, or finds the example's design of that name.
  absl::StatusOr<lab::KeyDesign> ParseDesign(const std::string& expression) const;
  // Returns the example's design of this name, or null.
  const lab::ExampleDesign* DesignOfExample(const std::string& name) const {
    return example_ ? example_->FindDesign(name) : nullptr;
  }
  const lab::Example* example() const { return example_ ? &*example_ : nullptr; }

  // Returns the generator; null for a file.
  const lab::RecordGenerator* generator() const { return generator_ ? &*generator_ : nullptr; }
  // Opens a file's records at its beginning. REQUIRES: generator() is null.
  absl::StatusOr<std::unique_ptr<lab::RecordSource>> OpenSource() const;

  // Returns all records of a generator, or at most `sampled` of a file's. Rows that do not fit are skipped, and named
  // on stderr at the first call; with --stop-at-bad-row they are errors. A file that cannot be read to its end always
  // is.
  absl::StatusOr<std::unique_ptr<lab::RecordSet>> Records(uint64_t sampled = 200'000) const;
  // Leaves it to the run itself to name the rows that do not fit.
  void LeaveSkippedToRun() { has_told_skipped_ = true; }
  // Returns the number of records of the run; for a file, after Records().
  uint64_t rows() const { return rows_; }

 private:
  DesignInput input_;
  std::shared_ptr<std::FILE> spooled_;  // standard input, to be read more than once
  std::optional<lab::Example> example_;
  lab::Schema schema_;
  lab::LookupTables lookups_;
  std::optional<lab::RecordGenerator> generator_;
  mutable uint64_t rows_ = 0;
  mutable bool has_told_skipped_ = false;
};

// Prints on stderr the number of skipped rows, and the errors of the first ones.
void PrintSkipped(const lab::BadRecords& skipped);

}  // namespace vaquita

// tools/lab/design_input.h: the options by which the laboratory's verbs are told a design and its records.
//
// Records are generated (--generate), read from a CSV file (--csv), or those of a ready example (--example), whose
// designs can be called by name; a file is read again for each pass over it.
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
}

namespace vaquita {

struct DesignInput {
  std::string generate;
  std::string csv;  // "-": standard input
  std::string example;
  std::vector<std::string> lookups;  // NAME=FILE
  uint64_t rows = 0;                 // of a generator; 0: as many as the example has, or 1,000,000
  uint64_t seed = lab::RecordGenerator::kDefaultSeed;
  bool stop_at_bad_row = false;
};

// --generate, --csv, --example, --lookup, --rows, --seed, --stop-at-bad-row.
void AddRecordOptions(CLI::App* command, DesignInput* input);

// Where a verb's records come from, opened.
class RecordInput {
 public:
  static absl::StatusOr<RecordInput> Open(const DesignInput& input);

  const lab::Schema& schema() const { return schema_; }
  const lab::LookupTables& lookups() const { return lookups_; }
  // An expression, or the name of one of the example's designs.
  absl::StatusOr<lab::KeyDesign> ParseDesign(const std::string& expression) const;
  // The example's design of this name; null if there is none, or no example.
  const lab::ExampleDesign* DesignOfExample(const std::string& name) const {
    return example_ ? example_->FindDesign(name) : nullptr;
  }
  const lab::Example* example() const { return example_ ? &*example_ : nullptr; }

  // The generator's; null for a file.
  const lab::RecordGenerator* generator() const { return generator_ ? &*generator_ : nullptr; }
  // A file's records from its beginning. REQUIRES: no generator.
  absl::StatusOr<std::unique_ptr<lab::RecordSource>> OpenSource() const;

  // All records of a generator, or at most `sampled` of a file's. Rows that do not fit are skipped, and named on
  // stderr, or end it, as asked.
  absl::StatusOr<std::unique_ptr<lab::RecordSet>> Records(uint64_t sampled = 200'000) const;
  // How many records the run has; known after Records() for a file.
  uint64_t rows() const { return rows_; }

 private:
  DesignInput input_;
  std::shared_ptr<std::FILE> spooled_;  // standard input, to be read more than once
  std::optional<lab::Example> example_;
  lab::Schema schema_;
  lab::LookupTables lookups_;
  std::optional<lab::RecordGenerator> generator_;
  mutable uint64_t rows_ = 0;
};

// Says on stderr how many rows were skipped, and what was wrong with the first ones.
void PrintSkipped(const lab::BadRecords& skipped);

}  // namespace vaquita

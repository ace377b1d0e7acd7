// lab/design/example.h: the built-in examples. Each is a question about row keys, with records and the designs that
// answer it.
//
// They are text files in lab/design/examples, built into the program, in this form:
//
//   question: one line
//   about: any number of lines, one paragraph
//   records: what lab/records/record_generator.h takes
//   rows: 100000
//   table LOG_TYPES: info=1, warn=2, error=3
//   design NAME: an expression
//     store: family=d, cells=1, qualifier=2, value=100    what a record puts into its row; cells=0: the same as before
//     column: an expression                               instead of qualifier=: the qualifier's bytes, by record
//     splits: prefix                                      how the table is split; see ParseExampleSplits
//   see: any number of lines: what the run shows
//
// A line that begins with # is a comment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "lab/design/key_storage.h"
#include "lab/records/lookup_table.h"

namespace vaquita::lab {

struct ExampleDesign {
  std::string name;
  std::string expression;
  CellShape shape;
  std::string column;  // an expression; empty: shape.qualifier_bytes counts
  std::string splits;  // empty: ten regions, by a sample
};

struct Example {
  std::string name;
  std::string question;
  std::string about;
  std::string records;
  uint64_t rows = 100'000;
  LookupTables tables;
  std::vector<ExampleDesign> designs;
  std::string see;

  const ExampleDesign* FindDesign(std::string_view design) const;
};

// Reads one of the files; errors name the line.
absl::StatusOr<Example> ParseExample(std::string_view name, std::string_view text);

// The built-in ones, sorted by name.
std::vector<std::string_view> ExampleNames();
absl::StatusOr<Example> FindExample(std::string_view name);

}  // namespace vaquita::lab

// lab/records/record_choice.h: chooses the records that readers ask for: every record alike, a few again and again, or
// the newest ones.
//
// Threads: immutable; any at once. The same draw gives the same record.
#pragma once

#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"
#include "lab/records/zipf_distribution.h"

namespace vaquita::lab {

enum class ReadPattern {
  kUniform,
  kZipfian,  // a few popular records, anywhere in the run, get most of the reads; YCSB's constant, 0.99
  kLatest,   // as kZipfian, but the newest records are popular
};

// Parses "uniform", "zipfian" or "latest". Returns InvalidArgument for another name.
absl::StatusOr<ReadPattern> ParseReadPattern(std::string_view name);

class RecordChoice {
 public:
  // REQUIRES: records > 0.
  RecordChoice(ReadPattern pattern, uint64_t records, uint64_t seed = 42);

  // Returns the number of the record that read `draw` asks for: 0 to records - 1.
  uint64_t Choose(uint64_t draw) const;

 private:
  const ReadPattern pattern_;
  const ZipfDistribution ranks_;  // ranks of popularity
  const uint64_t seed_;
};

}  // namespace vaquita::lab

// lab/simulator/read_simulation.h: simulates reads, and counts their requests: gets by key, and scans of a range of a
// field, under a row key design and a table's splits.
//
// A get asks for one record by its fields; a scan for all records whose field lies in a range, as "the hour before this
// record". The plan (lab/design/key_plan.h) has the ranges that a client would ask for; a request is one range in one
// region. So a salt of 16 values turns one scan into 16 requests, and a hashed key turns it into a scan of every
// region. Threads: as write_simulation.h; results do not depend on their number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "lab/design/key_plan.h"
#include "lab/records/record_choice.h"
#include "lab/records/record_set.h"
#include "lab/simulator/request_counts.h"
#include "lab/simulator/write_simulation.h"
#include "lab/splits/split_keys.h"

namespace vaquita::lab {

struct ReadLoad {
  uint64_t reads = 0;
  ReadPattern pattern = ReadPattern::kUniform;
  // A get knows every field. A scan knows those that are named here, and the range of one more.
  struct FieldScan {
    int field = 0;
    int64_t length = 0;  // for a number or a time: so many values, up to the chosen record's
    double share = 0;    // for a text field: this share of all records, ending with the chosen one
    std::vector<int> known_fields;
  };
  std::optional<FieldScan> scan;
  uint64_t seed = 42;
};

// Returns the fields that one of its reads knows: for a get every field.
Question QuestionOf(const Schema& schema, const std::optional<ReadLoad::FieldScan>& scan);

// Returns a scan's range of a number or a time: `length` values, the last of which is `last`. It does not begin below
// `least`, the least value of all records: no user asks for ids below 0, or a time before the first.
FieldRange RangeUpTo(const FieldValue& last, int64_t length, int64_t least);

struct ReadSimulation {
  RequestCounts counts;  // by region; a slice is a part of the reads
  std::vector<PartPlan> plan;
  uint64_t reads = 0;
  uint64_t ranges = 0;
  uint64_t requests = 0;
  uint64_t skipped = 0;  // reads of records for which the design makes no key
  // Averages per scan, estimated from a sample of the run's keys.
  double rows_read = 0;
  double rows_wanted = 0;

  double RangesPerRead() const { return reads == 0 ? 0 : static_cast<double>(ranges) / static_cast<double>(reads); }
  double RequestsPerRead() const { return reads == 0 ? 0 : static_cast<double>(requests) / static_cast<double>(reads); }
};

// `run_records` is the number of records of the whole run; `records` are all of them or a sample.
absl::StatusOr<ReadSimulation> SimulateReads(const RecordSet& records, uint64_t run_records, const KeyDesign& design,
                                             const LookupTables& tables, const SplitKeys& splits, const ReadLoad& load,
                                             const SimulationOptions& options);

}  // namespace vaquita::lab

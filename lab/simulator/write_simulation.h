// lab/simulator/write_simulation.h: simulates writes: makes the keys of a run's records, and counts them by region.
//
// A generated run is made in parallel, by ranges of records; its result does not depend on the number of threads.
// Memory: the counts (regions x slices x 8 bytes a thread) and nothing per key.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "lab/design/key_design.h"
#include "lab/records/bad_records.h"
#include "lab/records/record.h"
#include "lab/records/record_generator.h"
#include "lab/records/record_set.h"
#include "lab/simulator/request_counts.h"
#include "lab/splits/split_keys.h"

namespace vaquita::lab {

struct SimulationOptions {
  int slices = 60;                  // columns of the heat map
  int threads = 0;                  // 0: as many as the machine has
  bool stop_at_bad_record = false;  // if false, it is skipped and counted, and the first few are named
  // Called now and then, on the caller's thread, with the number of records done.
  std::function<void(uint64_t)> on_progress;
};

struct WriteSimulation {
  RequestCounts counts;  // by region
  uint64_t records = 0;  // without the skipped ones
  uint64_t records_per_slice = 0;
  uint64_t key_bytes = 0;
  size_t shortest_key = 0;
  size_t longest_key = 0;
  BadRecords skipped;
};

// Simulates the writes of the generator's records 0 to `records` - 1.
absl::StatusOr<WriteSimulation> SimulateWrites(const RecordGenerator& generator, const KeyDesign& design,
                                               const SplitKeys& splits, uint64_t records,
                                               const SimulationOptions& options);

// Simulates the writes of all records of a set.
absl::StatusOr<WriteSimulation> SimulateWrites(const RecordSet& records, const KeyDesign& design,
                                               const SplitKeys& splits, const SimulationOptions& options);

// Simulates the writes of all records of a source. Calls on_progress every 65,536 records.
absl::StatusOr<WriteSimulation> SimulateWrites(RecordSource* source, const KeyDesign& design, const SplitKeys& splits,
                                               const SimulationOptions& options);

}  // namespace vaquita::lab

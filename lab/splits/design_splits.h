// lab/splits/design_splits.h: split keys for a row key design: from a sample of its keys, or from the values of its
// first part.
//
// Threads: any.
#pragma once

#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"
#include "lab/design/key_design.h"
#include "lab/records/bad_records.h"
#include "lab/records/record_set.h"
#include "lab/splits/split_keys.h"

namespace vaquita::lab {

struct DesignSample {
  uint64_t keys = 1'000'000;
  bool first = false;  // takes the run's first records, as a table has today; if false, records from the whole run
  size_t most_bytes = 256 << 20;  // if the keys have more, half as many are taken, or a quarter, ...
};

// Divides a sample's keys into regions of equal size. Records for which the design makes no key are left out;
// `*skipped` has them then.
absl::StatusOr<SplitKeys> SplitsOfDesignSample(const RecordSet& records, const KeyDesign& design,
                                               const DesignSample& sample, int regions, BadRecords* skipped);

// Splits by the values of the design's first part, which are found by trying it on at most 100,000 records: one region
// per value (at most 1,000), or, if `regions` is not 0, so many regions with equal numbers of values.
absl::StatusOr<SplitKeys> SplitsOfFirstPart(const RecordSet& records, const KeyDesign& design, int regions);

// Chooses by the design: if its first part, such as a bucket, has as many values as regions are wanted, one region per
// value; otherwise the splits of a sample.
absl::StatusOr<SplitKeys> SplitsOfDesign(const RecordSet& records, const KeyDesign& design, int regions);

}  // namespace vaquita::lab

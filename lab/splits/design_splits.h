// lab/splits/design_splits.h: split keys for a row key design: from a sample of its keys, or from what its first part
// can be.
//
// Threads: any.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "lab/design/key_design.h"
#include "lab/records/bad_records.h"
#include "lab/records/record_set.h"
#include "lab/splits/split_keys.h"

namespace vaquita::lab {

struct DesignSample {
  uint64_t keys = 1'000'000;
  bool first = false;  // the run's first records, as a table's keys of today are; else some of the whole run, evenly
};

// Regions with equal numbers of the sample's keys. Records that the design has no key for are left out and told.
absl::StatusOr<SplitKeys> SplitsOfDesignSample(const RecordSet& records, const KeyDesign& design,
                                               const DesignSample& sample, int regions, BadRecords* skipped);

// By the values of the design's first part, which are found by trying it on at most 100,000 records: a region a value
// (at most 1,000), or `regions`, if that is not 0, with equal numbers of values.
absl::StatusOr<SplitKeys> SplitsOfFirstPart(const RecordSet& records, const KeyDesign& design, int regions);

// What fits the design: a region a value of its first part if that has as many values as there are to be regions, as a
// bucket has; else those of a sample.
absl::StatusOr<SplitKeys> SplitsOfDesign(const RecordSet& records, const KeyDesign& design, int regions);

}  // namespace vaquita::lab

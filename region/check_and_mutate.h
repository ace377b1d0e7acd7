// region/check_and_mutate.h: whether a CheckAndMutate's condition holds.
//
// The given value is compared with the cell's (kLess: the given one is smaller). No value, or an empty one, means:
// absent or empty. Real HBase takes only the bytes of a comparator and compares these; here the comparator itself
// compares, which is the same for the binary one, the only one that HBase's client offers.
// Source: HRegion.checkAndMutateInternal (2.6).
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "engine/store_db.h"
#include "model/operations.h"
#include "region/region_layout.h"

namespace vaquita {

struct ConditionOutcome {
  bool holds = false;
  int64_t cell_ms = 0;  // the timestamp of the cell that was compared; 0 if there was none
};

// REQUIRES: the row's lock is held, and the row is the region's. kNoSuchColumnFamily.
absl::StatusOr<ConditionOutcome> EvaluateCondition(const StoreDb& db, const RegionLayout& layout,
                                                   const CheckAndMutate& check);

}  // namespace vaquita

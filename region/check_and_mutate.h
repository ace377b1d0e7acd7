// region/check_and_mutate.h: whether a CheckAndMutate's condition holds.
//
// Source: HRegion.checkAndMutateInternal (2.6): the given value is compared with the cell's (kLess: the given one is
// smaller), byte by byte whatever the comparator's class, because HBase takes only the comparator's value. No value,
// or an empty one, means: absent or empty.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "engine/store_db.h"
#include "region/operations.h"
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

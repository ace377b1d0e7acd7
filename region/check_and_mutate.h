// region/check_and_mutate.h: evaluates a CheckAndMutate's condition.
//
// The given value is compared with the cell's (kLess: the given one is smaller). Without a value, or with an empty one,
// the condition is that the cell is absent or empty. HBase compares with the bytes of the comparator; here the
// comparator itself compares. Both agree for the binary comparator, the only one that HBase's client offers. Source:
// HRegion.checkAndMutateInternal (2.6).
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "base/read_watch.h"
#include "engine/store_db.h"
#include "model/operations.h"
#include "region/region_layout.h"

namespace vaquita {

struct ConditionOutcome {
  bool holds = false;
  int64_t cell_ms = 0;  // the timestamp of the cell that was compared; 0 if the cell is absent
};

// REQUIRES: the row's lock is held, and the row is in the region. Returns kNoSuchColumnFamily if the region does not
// have the family. `watch` (may be null) may end the read with an error.
absl::StatusOr<ConditionOutcome> EvaluateCondition(const StoreDb& db, const RegionLayout& layout,
                                                   const CheckAndMutate& check, ReadWatch* watch);

}  // namespace vaquita

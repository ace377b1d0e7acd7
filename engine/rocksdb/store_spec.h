// engine/rocksdb/store_spec.h: what a store is, as whoever makes or opens it says.
#pragma once

#include <cstdint>
#include <string>

#include "base/options.h"
#include "model/cell.h"
#include "model/family_descriptor.h"

namespace vaquita {

// Describes a store: its column family's name, its family's options, and the region's rows. Cells outside `range` (left
// by a split's hard links) are never read and go at the next compaction.
struct StoreSpec {
  std::string name;
  FamilyDescriptor family;
  RowRange range;
  int64_t memstore_flush_bytes = 128 * kMiB;
};

}  // namespace vaquita

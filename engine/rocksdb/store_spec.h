// engine/rocksdb/store_spec.h: describes a store to its maker or opener.
#pragma once

#include <cstdint>
#include <string>

#include "base/options.h"
#include "model/cell.h"
#include "model/family_descriptor.h"
#include "model/row_order.h"

namespace vaquita {

// A store's column family's name, its family's options, and the region's rows. Cells outside `range` (left by a split's
// hard links) are never read, and the next compaction drops them.
struct StoreSpec {
  std::string name;
  FamilyDescriptor family;
  RowRange range;
  int64_t memstore_flush_bytes = 128 * kMiB;
  RowOrder row_order = RowOrder::kBytes;  // the keys' order in the store (engine/cells/stored_row.h)
};

}  // namespace vaquita

// model/store_settings.h: the server's settings that a table or a family may override.
//
// A family's configuration and attributes override its table's, and those override the server's. Threads: functions
// only. Source: HRegion and HStore, which read a CompoundConfiguration of all three (2.6).
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "base/options.h"
#include "model/family_descriptor.h"
#include "model/table_descriptor.h"

namespace vaquita {

// Returns kIllegalArgument if a setting is not a number. (HBase fails when a region opens.)
absl::Status CheckSettings(const TableDescriptor& table);

// Returns `family` as its stores know it: its configuration also has those settings of its table that stores use.
FamilyDescriptor FamilyOfStores(const TableDescriptor& table, const FamilyDescriptor& family);

// Returns the value that such a family sets for the server's property `name`; `otherwise` if it sets none.
int64_t StoreNumber(const FamilyDescriptor& family, const std::string& name, int64_t otherwise);
double StoreRatio(const FamilyDescriptor& family, const std::string& name, double otherwise);

// Returns the size at which a region of `table` is flushed: MEMSTORE_FLUSHSIZE, or the table's
// hbase.hregion.memstore.flush.size, or the server's.
int64_t FlushBytes(const TableDescriptor& table, const Options& options);
// Returns the size at which a region of `table` refuses writes.
int64_t BlockingMemstoreBytes(const TableDescriptor& table, const Options& options);

}  // namespace vaquita

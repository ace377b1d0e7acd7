// server/master/procedure/descriptor_check.h: refuses a table's descriptor that a server cannot take.
//
// Threads: functions only. Source: TableDescriptorChecker (2.6).
#pragma once

#include <cstddef>

#include "absl/status/status.h"
#include "base/options.h"
#include "model/table_descriptor.h"

namespace vaquita {

// As TableDescriptor::Validate, and kDoNotRetryIO for too many families or replicas, and for a coprocessor that is not
// run here. That one is only warned of if the server's settings say so, or if the table goes without sanity checks, as
// in HBase.
absl::Status CheckDescriptor(const Options& options, const TableDescriptor& table);

// Returns kDoNotRetryIO if a table of `regions` regions would have more than vaquita.table.max.regions, where each
// replica counts as a region.
absl::Status CheckRegionCount(const Options& options, const TableDescriptor& table, size_t regions);

}  // namespace vaquita

// server/frontend/hbase/replica_metrics.h: the metrics of regions with those of their replicas, as HBase's clients
// expect them.
#pragma once

#include <vector>

#include "model/cluster_status.h"
#include "model/table_descriptor.h"

namespace vaquita::hbase {

// Returns the region's metrics, then those of its replicas: they have its store files, and no requests and no memstore
// of their own.
std::vector<RegionMetrics> WithReplicas(const RegionMetrics& primary, const TableDescriptor& table);

}  // namespace vaquita::hbase

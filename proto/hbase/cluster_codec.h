// proto/hbase/cluster_codec.h: translates a cluster's status to and from HBase's ClusterStatus, ServerLoad and
// RegionLoad.
//
// Sizes go over the wire in whole megabytes, rounded down, as HBase's do. Figures of Java processes (heap, HDFS
// locality, block indexes) are left out; a server's resident memory stands for its heap. Source: ClusterMetricsBuilder,
// ServerMetricsBuilder, RegionMetricsBuilder, HRegionServer.createRegionLoad (2.6). Threads: any.
#pragma once

#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "hbase/ClusterStatus.pb.h"
#include "model/cluster_status.h"
#include "proto/hbase/pb.h"

namespace vaquita {

pb::RegionState::State EncodeRegionState(RegionState state);
// States that Vaquita does not have are the nearest that it has.
RegionState DecodeRegionState(pb::RegionState::State state);

void EncodeRegionLoad(const RegionMetrics& metrics, pb::RegionLoad* out);
// Returns metrics without stores per family, which the message does not have; `info` has the parts of the region's
// name.
absl::StatusOr<RegionMetrics> DecodeRegionLoad(const pb::RegionLoad& load);

void EncodeServerLoad(const ServerMetrics& metrics, int64_t now_ms, pb::ServerLoad* out);

// Encodes the parts that `options` (of pb::Option) name; all if none is named.
void EncodeClusterStatus(const ClusterStatus& status, std::span<const int> options, int64_t now_ms,
                         pb::ClusterStatus* out);
// Adds the regions in transition, which ClusterStatus only counts, or decodes them.
void EncodeRegionsInTransition(std::span<const RegionInTransition> regions, pb::ClusterStatus* out);
absl::StatusOr<std::vector<RegionInTransition>> DecodeRegionsInTransition(const pb::ClusterStatus& status);
absl::StatusOr<ClusterStatus> DecodeClusterStatus(const pb::ClusterStatus& status);

}  // namespace vaquita

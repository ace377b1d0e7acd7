// proto/hbase/cluster_codec.h: what a cluster reports about itself <-> HBase's ClusterStatus, ServerLoad and
// RegionLoad.
//
// Sizes go over the wire in whole megabytes, rounded down, as HBase's do. What only a Java process has (heap, HDFS
// locality, block indexes) is left out: a server's resident memory stands for its heap. Source: ClusterMetricsBuilder,
// ServerMetricsBuilder, RegionMetricsBuilder, HRegionServer.createRegionLoad (2.6). Threads: any.
#pragma once

#include <span>

#include "absl/status/statusor.h"
#include "hbase/ClusterStatus.pb.h"
#include "model/cluster_status.h"
#include "proto/hbase/pb.h"

namespace vaquita {

pb::RegionState::State EncodeRegionState(RegionState state);

void EncodeRegionLoad(const RegionMetrics& metrics, pb::RegionLoad* out);
// Per-family stores are not in the message; `info` has what the region's name says.
absl::StatusOr<RegionMetrics> DecodeRegionLoad(const pb::RegionLoad& load);

void EncodeServerLoad(const ServerMetrics& metrics, int64_t now_ms, pb::ServerLoad* out);

// The parts that `options` name, of pb::Option; none named: all.
void EncodeClusterStatus(const ClusterStatus& status, std::span<const int> options, int64_t now_ms,
                         pb::ClusterStatus* out);
absl::StatusOr<ClusterStatus> DecodeClusterStatus(const pb::ClusterStatus& status);

}  // namespace vaquita

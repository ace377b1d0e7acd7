#include "server/frontend/hbase/replica_metrics.h"

namespace vaquita::hbase {

std::vector<RegionMetrics> WithReplicas(const RegionMetrics& primary, const TableDescriptor& table) {
  std::vector<RegionMetrics> all = {primary};
  for (int32_t id = 1; id < table.RegionReplication(); ++id) {
    RegionMetrics replica = primary;
    replica.info = ReplicaOf(primary.info, id);
    replica.read_requests = 0;
    replica.write_requests = 0;
    replica.filtered_read_requests = 0;
    replica.memstore_bytes = 0;
    all.push_back(std::move(replica));
  }
  return all;
}

}  // namespace vaquita::hbase

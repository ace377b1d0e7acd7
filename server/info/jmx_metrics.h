// server/info/jmx_metrics.h: the metrics of servers as HBase's beans, for its exporters and scripts.
//
// An attribute has the name, the type and the meaning that it has in HBase; one whose value is not known here is left
// out. docs/operations.md lists them. Source: MetricsRegionServerSourceImpl, MetricsRegionSourceImpl,
// MetricsTableSourceImpl, MetricsHBaseServerSourceImpl, MetricsWALSourceImpl, MetricsMasterSourceImpl,
// MetricsAssignmentManagerSourceImpl, MetricsBalancerSourceImpl, JvmMetrics (HBase 2.6).
#pragma once

#include <string_view>

#include "model/cluster_status.h"
#include "server/frontend/hbase/rpc/rpc_load.h"
#include "server/info/jmx_beans.h"
#include "server/info/metrics_pages.h"
#include "server/master/master_metrics.h"

namespace vaquita {

// Appends Server, WAL, Regions and Tables of a region server.
void AppendRegionServerBeans(const RegionServerState& state, std::string_view cluster_id, JmxBeans* beans);
// Appends Server, AssignmentManager and Balancer of the active master.
void AppendMasterBeans(const MasterMetrics& metrics, const ClusterStatus& status, JmxBeans* beans);
// Appends the load by clients of HBase's RPC. `role` is "RegionServer" or "Master".
void AppendRpcBean(const RpcLoad& load, std::string_view role, JmxBeans* beans);
// Appends JvmMetrics and the beans of java.lang that have a meaning without Java: memory, threads, files, CPU time.
// `role` as above.
void AppendProcessBeans(std::string_view role, JmxBeans* beans);

}  // namespace vaquita

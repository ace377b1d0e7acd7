// server/info/metrics_pages.h: the metrics of servers in Prometheus's text format.
//
// Counters only grow while a process lives. A region's own counters begin when a server opens it, and end when it
// closes. They are a page of their own, because a server may have 1,600 regions. docs/operations.md has the names.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/cluster_status.h"
#include "server/frontend/hbase/rpc/rpc_load.h"
#include "server/regionserver/region_server.h"

namespace vaquita {

class PrometheusText;
class ServerLease;
struct MasterMetrics;

struct RegionServerState {
  ServerMetrics server;
  RegionServerTotals totals;
  RegionServerTrouble trouble;
  int64_t open_scanners = 0;
  int64_t memstore_limit_bytes = 0;
  bool writes_work = true;
  std::optional<int64_t> lease_left_ms;  // set if the server has a lease; below 0: it is over
};

// Returns the present state of a server; `lease` may be null.
RegionServerState StateOf(const RegionServer& server, const ServerLease* lease);

void AppendRegionServerMetrics(const RegionServerState& state, PrometheusText* text);
void AppendRegionMetrics(const std::vector<RegionMetrics>& regions, PrometheusText* text);
void AppendMasterMetrics(const MasterMetrics& metrics, PrometheusText* text);
// Appends the load by clients of HBase's RPC, for any process.
void AppendRpcMetrics(const RpcLoad& load, PrometheusText* text);

}  // namespace vaquita

// server/info/metrics_pages.h: what servers say of themselves, in Prometheus's text format.
//
// Counters only grow while a process lives. What is counted for each region is counted from its opening on a server,
// and ends with that; it is a page by itself, because a server may have 1,600 regions. docs/operations.md has the
// names.
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
  std::optional<int64_t> lease_left_ms;  // of a server that has one; below 0: it is over
};

// Of a server as it is now; `lease` may be null.
RegionServerState StateOf(const RegionServer& server, const ServerLease* lease);

void AppendRegionServerMetrics(const RegionServerState& state, PrometheusText* text);
void AppendRegionMetrics(const std::vector<RegionMetrics>& regions, PrometheusText* text);
void AppendMasterMetrics(const MasterMetrics& metrics, PrometheusText* text);
// What clients of HBase's RPC ask of the process, whatever it is.
void AppendRpcMetrics(const RpcLoad& load, PrometheusText* text);

}  // namespace vaquita

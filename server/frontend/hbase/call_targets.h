// server/frontend/hbase/call_targets.h: finds the tables, regions and rows that a call's message names, for a gate
// (server/frontend/net/call_gate.h).
//
// Threads: any.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "hbase/HBase.pb.h"
#include "proto/hbase/pb.h"
#include "server/frontend/hbase/rpc/rpc_service.h"

namespace vaquita {
class RegionServer;
}

namespace vaquita::hbase {

net::CallTarget TargetOfTable(const pb::TableName& table);
// `name`: a full region name, or an encoded one, which does not tell the table.
net::CallTarget TargetOfRegion(std::string_view name);

// Returns a target for each action of a call of ClientService; none for an action that cannot be read.
std::vector<net::CallTarget> TargetsOfClientCall(const RegionServer& server, const RpcRequest& request);

int64_t RowsInScanAnswer(const RpcResponse& response);

}  // namespace vaquita::hbase

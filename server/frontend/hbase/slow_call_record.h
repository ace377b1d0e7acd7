// server/frontend/hbase/slow_call_record.h: describes a slow or large call as HBase's slow log does.
//
// Source: SlowLogQueueService, ProtobufUtil.getSlowLogParams (2.6). Threads: any.
#pragma once

#include "model/slow_call.h"
#include "server/frontend/hbase/rpc/slow_calls.h"
#include "server/regionserver/region_server.h"

namespace vaquita::hbase {

// Returns whether the slow log has calls of that service: those for a region server.
bool IsLogged(const RpcService& service);

SlowCall DescribeSlowCall(const FinishedCall& call, const RegionServer& server);

}  // namespace vaquita::hbase

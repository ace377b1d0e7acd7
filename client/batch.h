// client/batch.h: sends many actions of any rows to their regions.
//
// Each region gets one request at a time, and requests to different regions run together, so actions on one row keep
// their order (except those that fail and are repeated). A request is at most about 4 MB, HBase's
// hbase.client.max.perrequest.heapsize. Threads: any, at once; each call does its work in the calling thread and the
// link's.
#pragma once

#include <span>
#include <vector>

#include "client/cluster.h"
#include "client/table.h"

namespace vaquita::client {

// Returns one outcome per action, in order. Each action is repeated by itself, as the connection's retry policy says.
std::vector<ActionResult> RunBatch(Cluster& cluster, const TableName& table, std::span<const Action> actions);

}  // namespace vaquita::client

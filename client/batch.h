// client/batch.h: many actions of any rows, sent to their regions.
//
// One request per region at a time, those of different regions together, so that actions on one row keep their order
// (but for those that fail and are repeated). A request is at most about 4 MB, HBase's
// hbase.client.max.perrequest.heapsize.
// Threads: any, at once; each call does its work in the calling thread and the link's.
#pragma once

#include <span>
#include <vector>

#include "client/cluster.h"
#include "client/table.h"

namespace vaquita::client {

// One outcome per action, in order. Each action is repeated by itself, as the connection's retry policy has it.
std::vector<ActionResult> RunBatch(Cluster& cluster, const TableName& table, std::span<const Action> actions);

}  // namespace vaquita::client

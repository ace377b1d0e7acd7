// server/frontend/hbase/endpoint/cell_rights.h: rights that a mutation brings for its own cells (Mutation.setACL).
//
// Threads: any. Source: AccessController.addCellPermissions (2.6).
#pragma once

#include "absl/status/status.h"
#include "hbase/Client.pb.h"
#include "proto/hbase/pb.h"
#include "server/regionserver/region_server.h"

namespace vaquita::hbase {

// Returns kDoNotRetryIO if users have rights and the mutation brings rights for its cells: they would not hold. For
// each mutation that a client sends.
absl::Status CheckCellRights(const RegionServer& server, const pb::MutationProto& mutation);

}  // namespace vaquita::hbase

// client/hbase/hbase_admin.h: administration by HBase's MasterService and AdminService.
//
// A request for a procedure carries a nonce, so that it can be sent again if its answer was lost. The client polls the
// procedure until it has ended. Source: RawAsyncHBaseAdmin (hbase-client 2.6).
#pragma once

#include <cstdint>
#include <memory>

#include "client/admin.h"
#include "client/cluster.h"
#include "client/hbase/hbase_servers.h"
#include "client/hbase/meta_regions.h"

namespace vaquita::client {

// `servers` and `meta` belong to `cluster`'s link.
std::unique_ptr<Admin> MakeHBaseAdmin(std::shared_ptr<Cluster> cluster, HBaseServers* servers, MetaRegions* meta,
                                      uint64_t nonce_group);

}  // namespace vaquita::client

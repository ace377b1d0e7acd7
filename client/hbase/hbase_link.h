// client/hbase/hbase_link.h: a ServerLink by HBase's RPC, to Vaquita or to HBase 2.x itself.
//
// Requests go to the server that has the region, several regions' batches on one server in one request. Regions are
// found in hbase:meta. Increments and appends carry nonces.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "client/server_link.h"

namespace vaquita::client {

// Makes a link to the cluster of `options.address` (client/hbase/registry.h).
absl::StatusOr<std::unique_ptr<ServerLink>> MakeHBaseLink(const ConnectionOptions& options);

}  // namespace vaquita::client

#include "client/server_link.h"

#include "client/grpc_link.h"
#include "client/hbase/hbase_link.h"
#include "client/hbase/registry.h"

namespace vaquita::client {

absl::StatusOr<std::unique_ptr<ServerLink>> MakeServerLink(const ConnectionOptions& options) {
  if (IsRegistryAddress(options.address)) return MakeHBaseLink(options);
  return MakeGrpcLink(options);
}

}  // namespace vaquita::client

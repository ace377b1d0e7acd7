// This file alone knows every protocol; all others use a ServerLink.
#include "base/host_port.h"
#include "base/os_user.h"
#include "base/status.h"
#include "client/cluster.h"
#include "client/connection.h"
#include "client/grpc/grpc_link.h"
#include "client/hbase/hbase_link.h"
#include "client/hbase/registry.h"

namespace vaquita::client {

absl::Status CheckAddress(const std::string& address) {
  if (IsRegistryAddress(address)) return MakeRegistry(address, /*client=*/nullptr, /*tls=*/nullptr).status();
  return CheckHostPort(address).ok() ? absl::OkStatus() : BadAddress(address);
}

absl::StatusOr<std::shared_ptr<Connection>> Connection::Open(const ConnectionOptions& given) {
  VAQUITA_RETURN_IF_ERROR(CheckAddress(given.address));
  ConnectionOptions options = given;
  if (options.user.empty()) options.user = OsUserName();
  VAQUITA_ASSIGN_OR_RETURN(std::unique_ptr<ServerLink> link,
                           IsRegistryAddress(options.address) ? MakeHBaseLink(options) : MakeGrpcLink(options));
  return Connect(options, std::move(link));
}

}  // namespace vaquita::client

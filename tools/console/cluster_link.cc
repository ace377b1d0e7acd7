#include "tools/console/cluster_link.h"

#include "base/status.h"
#include "tools/connection/tool_tls.h"

namespace vaquita {
namespace {

constexpr int64_t kMostMs = 60'000;

}  // namespace

absl::StatusOr<std::shared_ptr<client::Connection>> ClusterLink::Open() {
  const std::string address = address_();
  if (address.empty()) return absl::UnavailableError("the server does not serve yet, or this master is not active");
  const std::lock_guard lock(mutex_);
  if (connection_ != nullptr && opened_ == address) return connection_;
  client::ConnectionOptions options;
  options.address = address;
  options.tls = ToolTls();
  options.token = token_;
  options.operation_timeout_ms = kMostMs;
  options.rpc_timeout_ms = kMostMs;
  VAQUITA_ASSIGN_OR_RETURN(connection_, client::Connection::Open(options));
  opened_ = address;
  return connection_;
}

}  // namespace vaquita

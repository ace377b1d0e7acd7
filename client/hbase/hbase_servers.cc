#include "client/hbase/hbase_servers.h"

#include "base/host_port.h"
#include "base/status.h"
#include "client/region_locator.h"

namespace vaquita::client {
namespace {

bool SaysNotTheMaster(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status) ||
         IsError(status, ErrorKind::kMasterNotRunning) || IsError(status, ErrorKind::kServerNotRunningYet);
}

}  // namespace

std::string AddressOf(const pb::ServerName& server) { return JoinHostPort(server.host_name(), server.port()); }

CallOutcome HBaseServers::CallMaster(std::string_view method, const google::protobuf::MessageLite& request,
                                     TimePoint deadline, google::protobuf::MessageLite* response) {
  const absl::StatusOr<pb::ServerName> master = Find(&Registry::ActiveMaster, &master_, deadline);
  if (!master.ok()) return {master.status()};
  const CallOutcome outcome = rpc_->Call({AddressOf(*master), "MasterService"}, method, request, deadline, response);
  if (SaysNotTheMaster(outcome.status)) {
    std::lock_guard lock(mutex_);
    master_.reset();
  }
  return outcome;
}

absl::StatusOr<pb::ServerName> HBaseServers::MetaServer(TimePoint deadline) {
  return Find(&Registry::MetaServer, &meta_, deadline);
}

void HBaseServers::ReportMeta(const absl::Status& status) {
  if (!SaysRegionIsGone(status)) return;
  std::lock_guard lock(mutex_);
  meta_.reset();
}

absl::StatusOr<pb::ServerName> HBaseServers::Find(Question question, std::optional<pb::ServerName>* known,
                                                  TimePoint deadline) {
  {
    std::lock_guard lock(mutex_);
    if (known->has_value()) return **known;
  }
  VAQUITA_ASSIGN_OR_RETURN(pb::ServerName found, (*registry_.*question)(deadline));
  std::lock_guard lock(mutex_);
  *known = found;
  return found;
}

}  // namespace vaquita::client

#include "server/frontend/hbase/rpc/running_calls.h"

#include <string>

namespace vaquita::hbase {

std::vector<MonitoredCall> RunningCalls::List() const {
  std::vector<MonitoredCall> calls;
  std::lock_guard lock(mutex_);  // the requests live that long
  calls.reserve(running_.size());
  for (const Running& running : running_) {
    const RpcRequest& request = *running.request;
    calls.push_back({.service = std::string(running.service->name()),
                     .method = std::string(request.method),
                     .table = running.service->TableOf(request),
                     .client_address = std::string(request.client_address),
                     .user = std::string(request.user),
                     .start_ms = running.start_ms});
  }
  return calls;
}

int64_t RunningCalls::OldestStartMs() const {
  std::lock_guard lock(mutex_);
  return running_.empty() ? -1 : running_.front().start_ms;
}

}  // namespace vaquita::hbase

// server/frontend/hbase/rpc/running_calls.h: the calls that hold handlers at present, for web pages and metrics.
//
// Threads: any. Source: TaskMonitor, MonitoredRPCHandlerImpl (HBase 2.6).
#pragma once

#include <cstdint>
#include <list>
#include <mutex>
#include <vector>

#include "server/frontend/hbase/rpc/monitored_call.h"
#include "server/frontend/hbase/rpc/rpc_service.h"

namespace vaquita::hbase {

class RunningCalls {
  struct Running {
    const RpcService* service;
    const RpcRequest* request;
    int64_t start_ms;
  };

 public:
  // A call is in the list while its Entry lives. `service` and `request` outlive it.
  class Entry {
   public:
    Entry(RunningCalls* calls, const RpcService& service, const RpcRequest& request, int64_t now_ms) : calls_(*calls) {
      std::lock_guard lock(calls_.mutex_);
      place_ = calls_.running_.insert(calls_.running_.end(), {&service, &request, now_ms});
    }
    ~Entry() {
      std::lock_guard lock(calls_.mutex_);
      calls_.running_.erase(place_);
    }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

   private:
    RunningCalls& calls_;
    std::list<Running>::iterator place_;
  };

  // Returns the calls, the oldest first.
  std::vector<MonitoredCall> List() const;
  // Returns the start of the oldest; -1 if none runs.
  int64_t OldestStartMs() const;

 private:
  mutable std::mutex mutex_;
  std::list<Running> running_;
};

}  // namespace vaquita::hbase

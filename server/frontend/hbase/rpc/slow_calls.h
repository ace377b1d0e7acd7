// server/frontend/hbase/rpc/slow_calls.h: tells somebody of calls that take long or have a large answer.
//
// Source: RpcServer.call (hbase.ipc.warn.response.time, hbase.ipc.warn.response.size; 2.6). Threads: any.
#pragma once

#include <cstdint>
#include <functional>

#include "server/frontend/hbase/rpc/rpc_service.h"

namespace vaquita::hbase {

// A call that has an answer; the references live until the report returns.
struct FinishedCall {
  const RpcService& service;
  const RpcRequest& request;
  int64_t took_ms = 0;
  int64_t queued_ms = 0;
  int64_t response_bytes = 0;
  bool slow = false;
  bool large = false;
};

struct SlowCalls {
  int64_t slow_ms = -1;      // a call that takes longer is slow; -1: none is
  int64_t large_bytes = -1;  // a larger answer is large; -1: none is
  std::function<void(const FinishedCall&)> report;

  // Reports the call if it is slow or large.
  void Check(const RpcService& service, const RpcRequest& request, const absl::StatusOr<RpcResponse>& response,
             int64_t took_ms, int64_t queued_ms) const {
    const int64_t bytes = response.ok() ? static_cast<int64_t>(response->param.size() + response->cells.size()) : 0;
    const bool slow = slow_ms >= 0 && took_ms > slow_ms;
    const bool large = large_bytes >= 0 && bytes > large_bytes;
    if (slow || large) report({service, request, took_ms, queued_ms, bytes, slow, large});
  }
};

}  // namespace vaquita::hbase

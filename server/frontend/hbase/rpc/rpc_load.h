// server/frontend/hbase/rpc/rpc_load.h: the present load of a process by clients of HBase's RPC.
#pragma once

#include <cstdint>

#include "base/worker_pool.h"

namespace vaquita {

struct RpcLoad {
  int64_t connections = 0;
  int64_t call_bytes = 0;      // requests, large unfinished ones too, count until the client has taken the answer
  int64_t oldest_call_ms = 0;  // the time for which the oldest call has held its handler; 0: none runs
  WorkerLoad general;
  WorkerLoad priority;  // administration and system tables
};

}  // namespace vaquita

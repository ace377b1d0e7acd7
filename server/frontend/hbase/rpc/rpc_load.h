// server/frontend/hbase/rpc/rpc_load.h: what the clients of HBase's RPC ask of a process at this moment.
#pragma once

#include <cstdint>

#include "base/worker_pool.h"

namespace vaquita {

struct RpcLoad {
  int64_t connections = 0;
  int64_t call_bytes = 0;      // read and not answered
  int64_t oldest_call_ms = 0;  // how long the oldest call has held its handler; 0: none runs
  WorkerLoad general;
  WorkerLoad priority;  // of administration and system tables
};

}  // namespace vaquita

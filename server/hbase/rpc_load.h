// server/hbase/rpc_load.h: what the clients of HBase's RPC ask of a process at this moment.
#pragma once

#include <cstdint>

namespace vaquita {

struct RpcLoad {
  struct Handlers {
    int64_t running = 0;  // calls
    int64_t waiting = 0;  // for a thread
    int64_t most = 0;     // threads
  };
  int64_t connections = 0;
  int64_t call_bytes = 0;      // read and not answered
  int64_t oldest_call_ms = 0;  // how long the oldest call has held its handler; 0: none runs
  Handlers general;
  Handlers priority;  // of administration and system tables
};

}  // namespace vaquita

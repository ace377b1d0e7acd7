// server/frontend/hbase/rpc/monitored_call.h: a call of HBase's RPC that holds a handler, as plain data.
#pragma once

#include <cstdint>
#include <string>

namespace vaquita {

struct MonitoredCall {
  std::string service;  // e.g. "ClientService"
  std::string method;
  std::string table;           // empty if the call has none, or if it is not known any more
  std::string client_address;  // host:port
  std::string user;
  int64_t start_ms = 0;  // when a handler took it, since the epoch
};

}  // namespace vaquita

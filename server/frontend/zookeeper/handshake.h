// server/frontend/zookeeper/handshake.h: the first messages of a connection: which session the client wants, and which
// it gets.
//
// Source: ConnectRequest and ConnectResponse of zookeeper.jute, ZooKeeperServer.processConnectRequest (ZooKeeper).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vaquita::zookeeper {

struct ConnectRequest {
  int32_t timeout_ms = 0;
  int64_t session_id = 0;        // 0: a new session
  std::string_view password;     // of the session to come back to; a part of the frame
  bool knows_read_only = false;  // clients before 3.4 know of no servers that are read-only, and are not told

  // False: the frame is no such request.
  static bool Parse(std::string_view frame, ConnectRequest* request);
};

// A frame, its length in front.
std::string EncodeConnectResponse(const ConnectRequest& request, int32_t timeout_ms, int64_t session_id,
                                  std::string_view password);
// "The session is not there any more": of a client that wanted to come back to one.
std::string EncodeExpired(const ConnectRequest& request);

}  // namespace vaquita::zookeeper

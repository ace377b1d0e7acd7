// server/frontend/zookeeper/handshake.h: the first messages of a connection: the client's request for a session, and
// the answer.
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
  std::string_view password;     // the password of the session to resume; a view into the frame
  bool knows_read_only = false;  // clients before 3.4 do not know read-only servers, and get no flag

  // Returns false if the frame is malformed.
  static bool Parse(std::string_view frame, ConnectRequest* request);
};

// Returns a frame with its length in front.
std::string EncodeConnectResponse(const ConnectRequest& request, int32_t timeout_ms, int64_t session_id,
                                  std::string_view password);
// Returns the answer to a client whose session has expired.
std::string EncodeExpired(const ConnectRequest& request);

}  // namespace vaquita::zookeeper

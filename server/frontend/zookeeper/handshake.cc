#include "server/frontend/zookeeper/handshake.h"

#include "proto/zookeeper/jute.h"
#include "proto/zookeeper/protocol.h"

namespace vaquita::zookeeper {

bool ConnectRequest::Parse(std::string_view frame, ConnectRequest* request) {
  JuteReader in(frame);
  const int32_t version = in.Int();
  in.Long();  // the last zxid that the client has seen
  request->timeout_ms = in.Int();
  request->session_id = in.Long();
  request->password = in.Buffer();
  request->knows_read_only = !in.AtEnd();
  return in.ok() && version == 0;
}

std::string EncodeConnectResponse(const ConnectRequest& request, int32_t timeout_ms, int64_t session_id,
                                  std::string_view password) {
  std::string body;
  JuteWriter(&body).Int(0).Int(timeout_ms).Long(session_id).Buffer(password);
  if (request.knows_read_only) JuteWriter(&body).Bool(false);  // it refuses writes, but is not cut off from a quorum
  std::string frame;
  JuteWriter(&frame).Buffer(body);
  return frame;
}

std::string EncodeExpired(const ConnectRequest& request) {
  return EncodeConnectResponse(request, 0, 0, std::string(kPasswordBytes, '\0'));
}

}  // namespace vaquita::zookeeper

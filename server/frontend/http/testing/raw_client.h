// server/frontend/http/testing/raw_client.h: an HTTP client that sends just the bytes that a test wants. For tests
// only.
#pragma once

#include <string>
#include <string_view>

#include "base/testing/raw_socket.h"

namespace vaquita::http::testing {

class RawClient : public vaquita::testing::RawSocket {
 public:
  using RawSocket::RawSocket;

  std::string Ask(std::string_view request) {
    Send(request);
    return ReadToEnd();
  }
};

}  // namespace vaquita::http::testing

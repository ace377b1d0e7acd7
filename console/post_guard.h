// console/post_guard.h: refuses POST requests that no page of this console sent.
//
// A page of another site can have a browser send a POST here. But it cannot add a header field, read the token or hide
// its origin. Programs get the token with GET /console/v1/session. The info port itself checks the Host field. Threads:
// any.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "server/frontend/http/http_message.h"

namespace vaquita {

class PostGuard {
 public:
  PostGuard();
  const std::string& token() const { return token_; }
  // Returns PermissionDenied, which says what is wrong; InvalidArgument if the request does not say that it has JSON.
  absl::Status Check(const http::Request& request) const;

 private:
  const std::string token_;  // random, so each process has another
};

}  // namespace vaquita

// console/post_guard.h: refuses POST requests that no page of this console sent.
//
// A page of another site can have a browser send a POST here, but not with a header field of its own, nor can it read
// the token, nor hide its origin. Programs get the token with GET /console/v1/session. The check of the Host field is
// the info port's. Threads: any.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "server/frontend/http/http_message.h"

namespace vaquita {

class PostGuard {
 public:
  PostGuard();
  const std::string& token() const { return token_; }
  // PermissionDenied says in words what was wrong; InvalidArgument if the body is not said to be JSON.
  absl::Status Check(const http::Request& request) const;

 private:
  const std::string token_;  // random: another process has another
};

}  // namespace vaquita

// server/frontend/http/user_check.h: refuses requests for pages whose sender may not read them.
//
// Threads: any.
#pragma once

#include <functional>

#include "absl/status/status.h"
#include "server/frontend/http/http_server.h"

namespace vaquita::http {

// Returns why the request's sender may not have the page; OK: it may.
using UserCheck = std::function<absl::Status(const Request&)>;

// Returns the answer to a request that is refused: 401 with the reason, so that a browser asks for a password, which is
// a token.
Response Unauthorized(const absl::Status& why);

// Makes all methods of `page` refuse what `check` refuses.
Page OnlyForUsers(Page page, const UserCheck& check);

}  // namespace vaquita::http

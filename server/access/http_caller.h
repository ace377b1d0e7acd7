// server/access/http_caller.h: the caller of an HTTP request.
//
// Threads: any.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "base/caller.h"
#include "server/access/access_control.h"

namespace vaquita {

// `authorization` is the request's field: "Bearer TOKEN"; or "Basic" with the token as the password, by which browsers
// and Phoenix's drivers send it, or with a name and an empty password, which is the client's word. `certificate_name`
// is its connection's. kAccessDenied if it is nobody, or if the field cannot be read.
absl::StatusOr<Caller> HttpCallerOf(const AccessControl& access, std::string_view authorization,
                                    std::string_view certificate_name);

// Checks that a superuser with a proof sent the request.
absl::Status CheckHttpSuperuser(const AccessControl& access, std::string_view authorization,
                                std::string_view certificate_name);

}  // namespace vaquita

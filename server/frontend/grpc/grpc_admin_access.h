// server/frontend/grpc/grpc_admin_access.h: the rights that methods of the gRPC AdminService need.
//
// A method that has no row here is for users with ADMIN everywhere. Lists are not refused: the methods leave out what
// the caller may not see. Threads: any. Source: as server/frontend/hbase/method_access.h.
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "google/protobuf/message.h"
#include "server/access/access_control.h"
#include "server/frontend/grpc/grpc_serving.h"

namespace vaquita {

// Returns kAccessDenied if the caller may not call `method` with this request.
absl::Status CheckAdminMethod(const AccessControl& access, const Caller& caller, const Serving& serving,
                              std::string_view method, const google::protobuf::Message& request);

}  // namespace vaquita

// server/frontend/hbase/user_rights.h: the messages for users' rights, which MasterService has for clients of HBase 2.2
// and later, and the coprocessor service AccessControlService on hbase:acl for older ones.
//
// Threads: any. Source: MasterRpcServices, AccessController (2.6).
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "base/caller.h"
#include "server/frontend/hbase/endpoint/endpoint.h"
#include "server/master/master.h"

namespace vaquita::hbase {

// The servers, and who asks. `access` null: hbase.security.authorization is false.
struct RightsCall {
  Master& master;
  const AccessControl* access;
  const Caller* caller;
};

// Returns whether a call of a coprocessor's service is for these rights.
bool IsRightsService(std::string_view service, const TableName& table);
// Calls a method of that service, and returns its answer. kUnknownProtocol if there is no such method.
absl::StatusOr<EndpointAnswer> CallRightsService(const RightsCall& call, std::string_view method,
                                                 std::string_view request);

}  // namespace vaquita::hbase

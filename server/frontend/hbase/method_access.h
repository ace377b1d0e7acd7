// server/frontend/hbase/method_access.h: the rights that methods of MasterService and AdminService need.
//
// A method that has no row here is for users with ADMIN everywhere. Lists are not refused: the methods leave out what
// the caller may not see. Threads: any. Source: AccessController's pre* methods, MasterRpcServices.rpcPreCheck (2.6).
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "server/access/access_control.h"
#include "server/frontend/hbase/service_methods.h"

namespace vaquita::hbase {

// Returns kAccessDenied if the call's user may not make it. `service`: "MasterService" or "AdminService".
absl::Status CheckMethod(const AccessControl& access, std::string_view service, const ServiceCall& call);

// Returns whether the call's user may see the table, or change it; yes where users have no rights.
bool MaySee(const ServiceCall& call, const TableName& table);
bool MayAdminister(const ServiceCall& call, const TableName& table);

// Returns the name of the user whom a new table or snapshot belongs to; empty where users have no rights.
std::string OwnerFor(const ServiceCall& call);

}  // namespace vaquita::hbase

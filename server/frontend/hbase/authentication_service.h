// server/frontend/hbase/authentication_service.h: the coprocessor service AuthenticationService, which gives clients
// with a Kerberos ticket a delegation token.
//
// Threads: any. Source: TokenProvider (HBase 2.6).
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "server/frontend/hbase/client_call.h"
#include "server/frontend/hbase/endpoint/endpoint.h"

namespace vaquita::hbase {

// Returns whether a call of a coprocessor's service is for this one, and there is Kerberos.
bool IsAuthenticationService(const ClientCall& call, std::string_view service);
// Calls a method of the service. kUnknownProtocol if there is no such method.
absl::StatusOr<EndpointAnswer> CallAuthenticationService(const ClientCall& call, std::string_view method);

}  // namespace vaquita::hbase

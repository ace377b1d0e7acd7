// server/access/grpc/grpc_caller.h: the caller of a gRPC call, by its connection's certificate or by its metadata:
// "authorization: Bearer TOKEN", else "vaquita-user: NAME"; "vaquita-acts-for: NAME" with either. Names that are not
// visible ASCII are in "vaquita-user-bin" and "vaquita-acts-for-bin" instead.
//
// Threads: any.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "base/caller.h"
#include "grpcpp/grpcpp.h"
#include "server/access/access_control.h"

namespace vaquita {

// Null `access`: users have no rights, and nobody asks who the caller is.
absl::StatusOr<Caller> GrpcCallerOf(const AccessControl* access, const grpc::ServerContextBase& context);

// Returns the user whom a call's client names, which is no proof; empty: none.
std::string_view SaidUserOf(const grpc::ServerContextBase& context);

// Checks that the call comes from a process of the cluster, or from a superuser. OK without `access`.
absl::Status CheckFromCluster(const AccessControl* access, const grpc::ServerContextBase& context);

}  // namespace vaquita

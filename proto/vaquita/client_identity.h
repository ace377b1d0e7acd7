// proto/vaquita/client_identity.h: a client says in a call's metadata who it is.
//
// A token goes as "authorization: Bearer TOKEN". Names go as "vaquita-user" and "vaquita-acts-for"; gRPC aborts the
// process for a text that is not visible ASCII, so such a name is binary: "vaquita-user-bin", "vaquita-acts-for-bin".
// Threads: any.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "grpcpp/client_context.h"

namespace vaquita {

// Empty: nothing is said of it.
struct ClientIdentity {
  std::string token;
  std::string user;
  std::string acts_for;  // a superuser calls in the name of this user
};

// Returns kIllegalArgument, without the token, unless it is visible ASCII.
absl::Status CheckToken(std::string_view token);

// REQUIRES: CheckToken(identity.token).ok().
void AddIdentity(const ClientIdentity& identity, grpc::ClientContext* context);

}  // namespace vaquita

// server/frontend/grpc/grpc_serving.h: the servers that the gRPC services call, while they serve.
#pragma once

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/serving_slot.h"
#include "base/status.h"
#include "server/access/grpc/grpc_caller.h"
#include "server/frontend/net/call_gate.h"
#include "server/master/master.h"
#include "server/regionserver/region_server.h"

namespace vaquita {

struct ServedServers {
  Master* master = nullptr;  // null: it is another process
  RegionServer* server = nullptr;
  int64_t life = 1;  // another one after each Resume
};

class GrpcServing : public ServingSlot<ServedServers> {
 public:
  // `gate` (null: calls go through none), `clock` and `access` (null: users have no rights) outlive it.
  GrpcServing(net::CallGate* gate, const Clock* clock, const AccessControl* access)
      : gate_(gate), clock_(clock), access_(access) {}

  net::CallGate* gate() const { return gate_; }
  const Clock& clock() const { return *clock_; }
  const AccessControl* access() const { return access_; }
  absl::StatusOr<Caller> CallerOf(const grpc::ServerContextBase& context) const {
    return GrpcCallerOf(access_, context);
  }

 private:
  net::CallGate* const gate_;
  const Clock* const clock_;
  const AccessControl* const access_;
};

// A call's hold on the servers: they do not stop while it runs.
using Serving = GrpcServing::Held;

// Returns the error of a request without a field that it needs.
inline absl::Status MissingField(const char* field) { return IllegalArgument(absl::StrCat(field, ": is missing")); }

}  // namespace vaquita

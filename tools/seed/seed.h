// tools/seed/seed.h: seeds a test's server with shell commands, with records of a CSV text, or with a snapshot.
//
// It uses the client library, as a test's own code would. Threads: any.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "vaquita/v1/test.pb.h"

namespace vaquita {

// `address` is host:port of the server's gRPC. Returns InvalidArgument, with the place and the reason, for a command or
// a record that fails. Everything before it has been done.
absl::StatusOr<v1::SeedResponse> Seed(const std::string& address, const v1::SeedRequest& request);

}  // namespace vaquita

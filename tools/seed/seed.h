// tools/seed/seed.h: seeds a test's server with shell commands, with records of a CSV text, or with a snapshot.
//
// It uses the client library, as a test's own code would, but no fault of the test applies to its calls. Threads: any.
#pragma once

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "vaquita/v1/test.pb.h"

namespace vaquita {

struct SeededServer {
  std::string address;             // host:port of its gRPC
  std::string user;                // as whom the seed calls it
  std::function<bool()> given_up;  // as client::ConnectionOptions::given_up
};

// Returns InvalidArgument, with the place and the reason, for a command or a record that fails, and ResourceExhausted,
// with the place, if a script prints more than 64 MB. Everything before it has been done.
absl::StatusOr<v1::SeedResponse> Seed(const SeededServer& server, const v1::SeedRequest& request);

}  // namespace vaquita

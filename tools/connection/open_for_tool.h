// tools/connection/open_for_tool.h: opens a connection for a tool that people wait for.
//
// Says on standard error when no server answers, at once, and when a server that answered has gone away, within two
// seconds: where it looks, what to do, and how long it goes on to try. Threads: any.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "client/connection.h"

namespace vaquita {

// The environment variable whose value is the default of the tools' --address.
inline constexpr char kAddressVariable[] = "VAQUITA_ADDRESS";

absl::StatusOr<std::shared_ptr<client::Connection>> OpenForTool(const std::string& address);

}  // namespace vaquita

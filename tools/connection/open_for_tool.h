// tools/connection/open_for_tool.h: opens a connection for a tool that people wait for.
//
// If no server answers, it says so on standard error at once; if a server that answered goes away, within two seconds.
// The message has the address, what to do, and how long the tool goes on trying. Threads: any.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "client/connection.h"

namespace vaquita {

// The environment variable whose value is the default of the tools' --address.
inline constexpr char kAddressVariable[] = "VAQUITA_ADDRESS";

// The environment variable with the token by which tools show who they are (docs/users.md). ToolToken returns it, or
// "".
inline constexpr char kTokenVariable[] = "VAQUITA_TOKEN";
std::string ToolToken();

absl::StatusOr<std::shared_ptr<client::Connection>> OpenForTool(const std::string& address);
// As above, at the address of `options`, whose TLS, token and on_wait are the tool's.
absl::StatusOr<std::shared_ptr<client::Connection>> OpenForTool(client::ConnectionOptions options);

}  // namespace vaquita

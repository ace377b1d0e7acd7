// base/host_port.h: "host:port" as one text. In it an IPv6 address has brackets: "[::1]:16020".
//
// Threads: functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace vaquita {

// Returns "host:port". The host may have brackets already.
std::string JoinHostPort(std::string_view host, int64_t port);

// Returns the host without brackets: "::1" for "[::1]:16020"; all of an address that has no port.
std::string HostIn(std::string_view address);
// Returns the port; 0 if the address has none, or one that is not in 1..65535.
int PortIn(std::string_view address);

// Returns "::1" for "[::1]", and any other host as it is.
std::string_view WithoutBrackets(std::string_view host);

// Returns whether it is an IP address, an IPv6 one with brackets or without, or can be a host's name: it has no byte
// that separates it from a port, a path or another host.
bool IsHost(std::string_view text);

// Checks what somebody has typed: OK if it is HOST:PORT with a port in 1..65535. Else InvalidArgument, with the address
// and what would be right.
absl::Status CheckHostPort(std::string_view address);

}  // namespace vaquita

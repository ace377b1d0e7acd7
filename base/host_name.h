// base/host_name.h: the host name by which others reach this process.
#pragma once

#include <string>
#include <string_view>

namespace vaquita {

struct Options;

// Returns whether `address`, an IP address or "localhost", is one that only this machine reaches, and connects from.
bool IsLoopback(std::string_view address);

// Returns the addresses of `options` at which other machines may harm the server, with their properties:
// "vaquita.bind.address is 0.0.0.0". Returns "" if only this machine reaches it, or if it has TLS and users who prove
// who they are.
std::string ExposedAddresses(const Options& options);

// Returns the machine's own name.
std::string MachineName();
// Returns the configured name; else the address to which the process is bound, without brackets; else, if it is bound
// to all addresses, the machine's name.
std::string HostOf(const Options& options);
// Returns the host of a port that is bound to `address`. An empty address means the one of all ports.
std::string HostOf(const Options& options, const std::string& address);

}  // namespace vaquita

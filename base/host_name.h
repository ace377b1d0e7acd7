// base/host_name.h: the host that others reach this process by.
#pragma once

#include <string>

namespace vaquita {

struct Options;

// Returns the addresses of `options` that other machines reach, with their properties: "vaquita.bind.address is
// 0.0.0.0"; empty if there are none.
std::string ExposedAddresses(const Options& options);

// Returns the name that the machine has by itself.
std::string MachineName();
// Returns the configured name; else the address that the process is bound to; else, if that is all addresses, the
// machine's name.
std::string HostOf(const Options& options);
// Returns the host of a port that is bound to `address`. An empty address means the one of all ports.
std::string HostOf(const Options& options, const std::string& address);

}  // namespace vaquita

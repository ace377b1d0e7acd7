// base/host_name.h: the host that others reach this process by.
#pragma once

#include <string>

namespace vaquita {

struct Options;

// As it was told, or the address it is bound to, or, bound to all of them, the machine's name.
std::string HostOf(const Options& options);
// The same of a port that is bound to `address`; empty: to where all are.
std::string HostOf(const Options& options, const std::string& address);

}  // namespace vaquita

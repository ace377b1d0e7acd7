#include "base/host_name.h"

#include <unistd.h>

#include "base/options.h"

namespace vaquita {

namespace {

bool IsAll(const std::string& address) { return address == "0.0.0.0" || address == "::"; }

}  // namespace

std::string MachineName() {
  char name[256] = "localhost";
  gethostname(name, sizeof name - 1);
  return name;
}

std::string HostOf(const Options& options) { return HostOf(options, ""); }

std::string HostOf(const Options& options, const std::string& address) {
  if (!address.empty() && !IsAll(address)) return address;
  if (!options.host_name.empty()) return options.host_name;
  if (address.empty() && !IsAll(options.bind_address)) return options.bind_address;
  return MachineName();
}

}  // namespace vaquita

#include "base/host_name.h"

#include <unistd.h>

#include <utility>

#include "base/options.h"

namespace vaquita {

namespace {

bool IsAll(const std::string& address) { return address == "0.0.0.0" || address == "::"; }

// Returns whether only this machine reaches what is bound to `address`.
bool IsLoopback(const std::string& address) {
  return address.starts_with("127.") || address == "::1" || address == "localhost";
}

}  // namespace

std::string ExposedAddresses(const Options& options) {
  if (options.tls && options.authorization && !options.names_suffice()) return "";  // nobody does what he may not
  const std::pair<const char*, const std::string*> addresses[] = {
      {"vaquita.bind.address", &options.bind_address},
      {"hbase.master.info.bindAddress", &options.master_info_address},
      {"hbase.regionserver.info.bindAddress", &options.region_server_info_address},
  };
  std::string exposed;
  for (const auto& [property, address] : addresses) {
    if (address->empty() || IsLoopback(*address)) continue;
    if (!exposed.empty()) exposed += ", ";
    exposed += std::string(property) + " is " + *address;
  }
  return exposed;
}

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

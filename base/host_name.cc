#include "base/host_name.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <unistd.h>

#include <cstdint>
#include <utility>

#include "base/host_port.h"
#include "base/options.h"

namespace vaquita {

namespace {

// Reads an address in any form that a look-up of addresses takes, "127.1" among them. Returns false for a name.
bool ReadIPv4(const std::string& text, uint32_t* address) {
  in_addr v4{};
  in6_addr v6{};
  if (inet_aton(text.c_str(), &v4) != 0) {
    *address = ntohl(v4.s_addr);
    return true;
  }
  if (inet_pton(AF_INET6, text.c_str(), &v6) != 1 || !IN6_IS_ADDR_V4MAPPED(&v6)) return false;
  *address = ntohl(v6.s6_addr32[3]);
  return true;
}

bool IsAll(const std::string& address) {
  const std::string host(WithoutBrackets(address));
  uint32_t v4 = 0;
  in6_addr v6{};
  if (ReadIPv4(host, &v4)) return v4 == INADDR_ANY;
  return inet_pton(AF_INET6, host.c_str(), &v6) == 1 && IN6_IS_ADDR_UNSPECIFIED(&v6);
}

}  // namespace

bool IsLoopback(std::string_view address) {
  const std::string host(WithoutBrackets(address));
  uint32_t v4 = 0;
  in6_addr v6{};
  if (ReadIPv4(host, &v4)) return v4 >> 24 == IN_LOOPBACKNET;
  return host == "localhost" || (inet_pton(AF_INET6, host.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6));
}

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
  if (!address.empty() && !IsAll(address)) return std::string(WithoutBrackets(address));
  if (!options.host_name.empty()) return std::string(WithoutBrackets(options.host_name));
  if (address.empty() && !IsAll(options.bind_address)) return std::string(WithoutBrackets(options.bind_address));
  return MachineName();
}

}  // namespace vaquita

#include "base/host_port.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cstring>

#include "base/whole_number.h"

namespace vaquita {
namespace {

// Returns where the host ends: before the colon of the port.
size_t EndOfHost(std::string_view address) {
  const size_t colon = std::min(address.rfind(':'), address.size());
  return address.ends_with(']') ? address.size() : colon;
}

// The text may name a network interface: fe80::1%eth0.
bool IsIPv6(std::string_view text) {
  in6_addr address{};
  const size_t zone = std::min(text.find('%'), text.size());
  const bool zone_fits = zone == text.size() || (zone + 1 < text.size() && text.find_first_of("/ ,") == text.npos);
  return zone_fits && inet_pton(AF_INET6, std::string(text.substr(0, zone)).c_str(), &address) == 1;
}

}  // namespace

std::string JoinHostPort(std::string_view host, int64_t port) {
  const bool bare = host.find(':') != std::string_view::npos && !host.starts_with('[');
  std::string text(host);
  if (bare) text = "[" + text + "]";
  return text + ":" + std::to_string(port);
}

std::string HostIn(std::string_view address) {
  return std::string(WithoutBrackets(address.substr(0, EndOfHost(address))));
}

int PortIn(std::string_view address) {
  const size_t end = EndOfHost(address);
  uint16_t port = 0;
  if (end == address.size() || !ReadWholeNumber(address.substr(end + 1), &port)) return 0;
  return port;
}

std::string_view WithoutBrackets(std::string_view host) {
  return host.starts_with('[') && host.ends_with(']') ? host.substr(1, host.size() - 2) : host;
}

bool IsHost(std::string_view text) {
  const std::string_view name = WithoutBrackets(text);
  if (name.size() < text.size() || name.find(':') != std::string_view::npos) return IsIPv6(name);
  const auto separates = [](unsigned char c) { return c <= ' ' || c == 0x7F || std::strchr("[]/\\,;@", c) != nullptr; };
  return !name.empty() && std::ranges::none_of(name, separates);
}

absl::Status CheckHostPort(std::string_view address) {
  const std::string_view host = address.substr(0, EndOfHost(address));
  const bool bare = host.find(':') != std::string_view::npos && !host.starts_with('[');
  if (PortIn(address) > 0 && IsHost(host) && !bare) return absl::OkStatus();
  return absl::InvalidArgumentError("\"" + std::string(address) +
                                    "\": must be HOST:PORT, such as localhost:49154, or [::1]:49154 for IPv6");
}

}  // namespace vaquita

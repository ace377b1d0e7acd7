#include "base/host_port.h"

#include <algorithm>

#include "base/whole_number.h"

namespace vaquita {
namespace {

// Returns where the host ends: before the colon of the port.
size_t EndOfHost(std::string_view address) {
  const size_t colon = std::min(address.rfind(':'), address.size());
  return address.ends_with(']') ? address.size() : colon;
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

absl::Status CheckHostPort(std::string_view address) {
  const std::string_view host = address.substr(0, EndOfHost(address));
  const std::string_view name = WithoutBrackets(host);
  const bool bracketed = name.size() < host.size();
  if (PortIn(address) > 0 && !name.empty() && name.find_first_of("[]/, \t\n") == std::string_view::npos &&
      bracketed == (name.find(':') != std::string_view::npos)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError("\"" + std::string(address) +
                                    "\": must be HOST:PORT, such as localhost:49154, or [::1]:49154 for IPv6");
}

}  // namespace vaquita

#include "model/server_name.h"

#include "base/host_port.h"
#include "base/status.h"
#include "base/whole_number.h"

namespace vaquita {
namespace {

template <typename Number>
bool ReadNatural(std::string_view text, Number* number) {
  return ReadWholeNumber(text, number) && *number >= 0;
}

}  // namespace

absl::StatusOr<ServerName> ServerName::Parse(std::string_view text) {
  ServerName name;
  const size_t code = text.rfind(',');
  const size_t port = code == std::string_view::npos || code == 0 ? std::string_view::npos : text.rfind(',', code - 1);
  if (port == std::string_view::npos || port == 0 || !ReadNatural(text.substr(port + 1, code - port - 1), &name.port) ||
      !ReadNatural(text.substr(code + 1), &name.start_code)) {
    return Error(ErrorKind::kIllegalArgument, "not a server name: " + std::string(text));
  }
  name.host = text.substr(0, port);
  return name;
}

ServerName ServerName::At(std::string_view address, int64_t start_code) {
  ServerName name;
  name.host = HostIn(address);
  name.port = PortIn(address);
  name.start_code = start_code;
  return name;
}

std::string ServerName::Address() const { return JoinHostPort(host, port); }

std::string ServerName::ToString() const {
  return host + "," + std::to_string(port) + "," + std::to_string(start_code);
}

bool IsEarlierLife(std::string_view a, std::string_view b) {
  const auto earlier = ServerName::Parse(a);
  const auto later = ServerName::Parse(b);
  return earlier.ok() && later.ok() && earlier->SameAddress(*later) && earlier->start_code < later->start_code;
}

}  // namespace vaquita

// model/server_name.h: "host,port,startcode", the name of one life of a server.
//
// The start code is the time of its start in ms, so a restart on the same address is another server. Source: ServerName
// (2.6).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace vaquita {

struct ServerName {
  std::string host;
  int32_t port = 0;  // for HBase's RPC
  int64_t start_code = 0;

  static absl::StatusOr<ServerName> Parse(std::string_view text);  // kIllegalArgument
  // Returns the name of the server at "host:port"; its port is 0 if that part is not a number.
  static ServerName At(std::string_view address, int64_t start_code);
  std::string ToString() const;
  std::string Address() const;  // "host:port"
  // Returns whether both are lives of the server at one address.
  bool SameAddress(const ServerName& other) const { return host == other.host && port == other.port; }

  friend bool operator==(const ServerName&, const ServerName&) = default;
};

// Returns whether server `a` was an earlier life of server `b`: the same address, and an earlier start. Both by name.
bool IsEarlierLife(std::string_view a, std::string_view b);

}  // namespace vaquita

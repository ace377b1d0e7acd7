#include "server/frontend/net/descriptors.h"

#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "base/log.h"

namespace vaquita::net {
namespace {

// Beside sockets and store files, a server that flushes and compacts 40 stores had at most 90 (docs/operations.md).
constexpr int64_t kLeastReserve = 128;
constexpr int64_t kForPages = 32;  // http::ServerOptions::max_connections
constexpr rlim_t kFew = 1024;

std::array<std::atomic<int64_t>, kProtocols.size()> refused{};

using GetName = int (*)(int socket, sockaddr* address, socklen_t* size);

// Returns the address and port of a socket's end, by getsockname or getpeername. Empty: it is not connected by IP.
std::string EndOf(int socket, GetName get) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (get(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) return "";
  // An IPv4 client of a socket for both has an address of IPv6 there, whose last bytes are its own.
  if (const auto* six = reinterpret_cast<const sockaddr_in6*>(&address); address.ss_family == AF_INET6) {
    const size_t from = IN6_IS_ADDR_V4MAPPED(&six->sin6_addr) ? 12 : 0;
    return std::string(reinterpret_cast<const char*>(&six->sin6_addr) + from, 16 - from) +
           std::to_string(six->sin6_port);
  }
  if (address.ss_family != AF_INET) return "";
  const auto* four = reinterpret_cast<const sockaddr_in*>(&address);
  return std::string(reinterpret_cast<const char*>(&four->sin_addr), 4) + std::to_string(four->sin_port);
}

}  // namespace

std::string_view ProtocolName(Protocol protocol) {
  switch (protocol) {
    case Protocol::kHBaseRpc:
      return "hbase-rpc";
    case Protocol::kZooKeeper:
      return "zookeeper";
    case Protocol::kGrpc:
      return "grpc";
    case Protocol::kHttp:
      return "http";
    case Protocol::kSql:
      return "sql";
  }
  return "";
}

void RaiseDescriptorLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  if (limit.rlim_cur < limit.rlim_max) {
    const rlim_t soft = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
      spdlog::warn("cannot raise the limit of open files from {} to {}: {}", soft, limit.rlim_max,
                   std::strerror(errno));
      limit.rlim_cur = soft;
    }
  }
  if (limit.rlim_cur < kFew) {
    spdlog::warn("this process may have only {} open files (ulimit -n), so few clients can connect", limit.rlim_cur);
  }
}

int64_t DescriptorBound(Protocol protocol, int64_t limit) {
  const int64_t reserve = std::max(limit / 4, kLeastReserve);
  return limit - reserve - (protocol == Protocol::kHttp ? 0 : kForPages);
}

int64_t DescriptorBound(Protocol protocol) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  constexpr rlim_t kMost = rlim_t{1} << 30;
  return DescriptorBound(protocol, static_cast<int64_t>(std::min(limit.rlim_cur, kMost)));
}

bool HasConnections() {
  std::set<std::pair<std::string, std::string>> connections;  // this end and the other
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/proc/self/fd", error), end; !error && entry != end;
       entry.increment(error)) {
    const int fd = std::atoi(entry->path().filename().c_str());
    std::string peer = EndOf(fd, getpeername);
    if (!peer.empty()) connections.emplace(EndOf(fd, getsockname), std::move(peer));
  }
  return std::ranges::any_of(connections, [&](const auto& ends) {
    return !connections.contains({ends.second, ends.first});
  });
}

void CountRefused(Protocol protocol) { ++refused[static_cast<size_t>(protocol)]; }

int64_t RefusedConnections(Protocol protocol) { return refused[static_cast<size_t>(protocol)]; }

}  // namespace vaquita::net

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
#include <system_error>

#include "base/log.h"

namespace vaquita::net {
namespace {

// Measured: 46 in a server that has just started, and beside sockets and store files at most 82 while 40 stores are
// flushed and compacted.
constexpr int64_t kLeastReserve = 128;
constexpr int64_t kForPages = 32;  // http::ServerOptions::max_connections
constexpr rlim_t kFew = 1024;

std::array<std::atomic<int64_t>, kProtocols.size()> refused{};

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
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/proc/self/fd", error), end; !error && entry != end;
       entry.increment(error)) {
    sockaddr_storage peer{};
    socklen_t size = sizeof peer;
    const int fd = std::atoi(entry->path().filename().c_str());
    if (getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) != 0) continue;  // it listens, or is no socket
    if (peer.ss_family == AF_INET || peer.ss_family == AF_INET6) return true;
  }
  return false;
}

void CountRefused(Protocol protocol) { ++refused[static_cast<size_t>(protocol)]; }

int64_t RefusedConnections(Protocol protocol) { return refused[static_cast<size_t>(protocol)]; }

}  // namespace vaquita::net

// server/frontend/net/descriptors.h: divides the process's file descriptors between connections and files, and counts
// refused connections.
//
// Store files and logs must find a descriptor when they need one, so connections take descriptors only below a bound.
// The kernel gives a new socket the lowest free number. A number at or above the bound says that so many are in use by
// clients, store files or gRPC, and the socket is closed again. Threads: any.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace vaquita::net {

// The protocols of connections.
enum class Protocol { kHBaseRpc, kZooKeeper, kGrpc, kHttp, kSql };
inline constexpr std::array kProtocols = {Protocol::kHBaseRpc, Protocol::kZooKeeper, Protocol::kGrpc, Protocol::kHttp,
                                          Protocol::kSql};
std::string_view ProtocolName(Protocol protocol);

// Raises the process's soft limit of descriptors to the hard one, and warns if it is low. Call it before the first
// thread starts.
void RaiseDescriptorLimit();

// Returns the number from which on a socket is refused for connections of `protocol`. Above all bounds a quarter of the
// process's limit, and at least 128, is left for store files, logs and the rest; web pages have 32 more than other
// protocols.
int64_t DescriptorBound(Protocol protocol);
// Returns the bound for a process whose limit is `limit`.
int64_t DescriptorBound(Protocol protocol, int64_t limit);

// Returns whether a client is connected by any protocol. The process is no client of its own. Examines every descriptor
// of the process.
bool HasConnections();

// Count and return connections that were closed at once because they were above the bound.
void CountRefused(Protocol protocol);
int64_t RefusedConnections(Protocol protocol);

}  // namespace vaquita::net

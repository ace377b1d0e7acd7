// server/frontend/net/descriptors.h: how the process shares out its file descriptors, and how often connections had
// none.
//
// Store files and logs must be had when they are needed, so connections take descriptors only below a bound. The kernel
// gives a new socket the lowest free number: one at or above the bound says that so many are in use, whoever has them
// (clients, store files, gRPC), and is closed again. Threads: any.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace vaquita::net {

// The protocols that connections are for.
enum class Protocol { kHBaseRpc, kZooKeeper, kGrpc, kHttp };
inline constexpr std::array kProtocols = {Protocol::kHBaseRpc, Protocol::kZooKeeper, Protocol::kGrpc, Protocol::kHttp};
std::string_view ProtocolName(Protocol protocol);

// Raises the process's soft limit of descriptors to the hard one; before the first thread starts. Warns if that leaves
// few.
void RaiseDescriptorLimit();

// A socket with this number, or a higher one, is no longer for connections of `protocol`. Above all bounds a quarter of
// the process's limit, and at least 128, is for store files, logs and the rest; pages of those who watch the server are
// answered from 32 more.
int64_t DescriptorBound(Protocol protocol);
// Returns it for a process whose limit is `limit`.
int64_t DescriptorBound(Protocol protocol, int64_t limit);

// Returns whether a client is connected, by whatever protocol. Looks at every descriptor of the process.
bool HasConnections();

// Connections that were closed at once, because they were above the bound.
void CountRefused(Protocol protocol);
int64_t RefusedConnections(Protocol protocol);

}  // namespace vaquita::net

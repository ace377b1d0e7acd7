#include "tools/libc/address_lookup.h"

#include <ares.h>
#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>

#include <charconv>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vaquita {
namespace {

// An address of either family, without a port.
struct FoundAddress {
  int family = AF_UNSPEC;
  in_addr v4{};
  in6_addr v6{};
  uint32_t scope = 0;  // only v6 has one: the number of a network interface
};

// One element of the list; the address is what its ai_addr points to.
struct Node {
  addrinfo info{};
  sockaddr_storage address{};
};

std::optional<uint16_t> ReadPort(const char* service) {
  if (service == nullptr) return 0;
  uint16_t port = 0;
  const char* const end = service + std::strlen(service);
  const auto [rest, error] = std::from_chars(service, end, port);
  if (error != std::errc() || rest != end) return std::nullopt;
  return port;
}

// fe80::1%eth0 names the interface.
std::optional<FoundAddress> ReadNumericV6(const std::string& host) {
  FoundAddress address{.family = AF_INET6};
  const size_t percent = host.find('%');
  if (inet_pton(AF_INET6, host.substr(0, percent).c_str(), &address.v6) != 1) return std::nullopt;
  if (percent == std::string::npos) return address;
  const std::string scope = host.substr(percent + 1);
  const auto [rest, error] = std::from_chars(scope.data(), scope.data() + scope.size(), address.scope);
  if (error != std::errc() || rest != scope.data() + scope.size()) address.scope = if_nametoindex(scope.c_str());
  if (address.scope == 0) return std::nullopt;
  return address;
}

std::optional<FoundAddress> ReadNumeric(const char* host) {
  FoundAddress v4{.family = AF_INET};
  if (inet_aton(host, &v4.v4) != 0) return v4;
  return ReadNumericV6(host);
}

// Returns addresses of this machine: any address to listen at, the loopback to connect to.
std::vector<FoundAddress> OwnAddresses(bool passive) {
  FoundAddress v4{.family = AF_INET};
  v4.v4.s_addr = htonl(passive ? INADDR_ANY : INADDR_LOOPBACK);
  const FoundAddress v6{.family = AF_INET6, .v6 = passive ? in6addr_any : in6addr_loopback};
  return {v4, v6};
}

// RFC 6761, 6.3: such names are the loopback, and no server is asked. That works without /etc/hosts.
bool IsLocalhost(std::string_view name) { return name == "localhost" || name.ends_with(".localhost"); }

struct NameAnswer {
  int status = ARES_SUCCESS;
  std::vector<FoundAddress> addresses;
};

// c-ares has sorted them by RFC 6724.
void TakeAnswer(void* argument, int status, int, ares_addrinfo* result) {
  auto* answer = static_cast<NameAnswer*>(argument);
  answer->status = status;
  for (const ares_addrinfo_node* node = result == nullptr ? nullptr : result->nodes; node != nullptr;
       node = node->ai_next) {
    FoundAddress address{.family = node->ai_family};
    if (node->ai_family == AF_INET) {
      address.v4 = reinterpret_cast<const sockaddr_in*>(node->ai_addr)->sin_addr;
    } else if (node->ai_family == AF_INET6) {
      const auto* v6 = reinterpret_cast<const sockaddr_in6*>(node->ai_addr);
      address.v6 = v6->sin6_addr;
      address.scope = v6->sin6_scope_id;
    } else {
      continue;
    }
    answer->addresses.push_back(address);
  }
  if (result != nullptr) ares_freeaddrinfo(result);
}

// Until the channel has nothing left to wait for.
void RunQueries(ares_channel channel) {
  while (true) {
    ares_socket_t sockets[ARES_GETSOCK_MAXNUM];
    const int wanted = ares_getsock(channel, sockets, ARES_GETSOCK_MAXNUM);
    std::vector<pollfd> waits;
    for (int i = 0; i < ARES_GETSOCK_MAXNUM; ++i) {
      const bool reads = ARES_GETSOCK_READABLE(wanted, i);
      const bool writes = ARES_GETSOCK_WRITABLE(wanted, i);
      if (!reads && !writes) break;
      waits.push_back({sockets[i], static_cast<short>((reads ? POLLIN : 0) | (writes ? POLLOUT : 0)), 0});
    }
    if (waits.empty()) return;
    timeval most{.tv_sec = 1, .tv_usec = 0};
    timeval storage{};
    const timeval* wait = ares_timeout(channel, &most, &storage);
    poll(waits.data(), waits.size(), static_cast<int>(wait->tv_sec * 1000 + wait->tv_usec / 1000 + 1));
    for (const pollfd& each : waits) {
      const bool reads = (each.revents & (POLLIN | POLLERR | POLLHUP)) != 0;
      const bool writes = (each.revents & (POLLOUT | POLLERR)) != 0;
      ares_process_fd(channel, reads ? each.fd : ARES_SOCKET_BAD, writes ? each.fd : ARES_SOCKET_BAD);
    }
    ares_process_fd(channel, ARES_SOCKET_BAD, ARES_SOCKET_BAD);  // those whose time is over
  }
}

NameAnswer LookUpName(const char* host, int family) {
  static const int prepared = ares_library_init(ARES_LIB_INIT_ALL);
  NameAnswer answer{.status = prepared};
  if (prepared != ARES_SUCCESS) return answer;
  ares_options options{};
  options.tries = 2;  // as many as glibc's
  ares_channel channel = nullptr;
  answer.status = ares_init_options(&channel, &options, ARES_OPT_TRIES);
  if (answer.status != ARES_SUCCESS) return answer;
  ares_addrinfo_hints hints{};
  hints.ai_family = family;
  ares_getaddrinfo(channel, host, nullptr, &hints, &TakeAnswer, &answer);
  RunQueries(channel);
  ares_destroy(channel);
  return answer;
}

int ErrorOf(const NameAnswer& answer) {
  switch (answer.status) {
    case ARES_SUCCESS:
      return answer.addresses.empty() ? EAI_NONAME : 0;
    case ARES_ENOTFOUND:
    case ARES_ENODATA:
    case ARES_EBADNAME:
      return EAI_NONAME;
    case ARES_ENOMEM:
      return EAI_MEMORY;
    case ARES_ESERVFAIL:
    case ARES_ECONNREFUSED:
    case ARES_ETIMEOUT:
      return EAI_AGAIN;
    default:
      return EAI_FAIL;
  }
}

addrinfo* MakeNode(const FoundAddress& found, uint16_t port, int type, int protocol) {
  auto node = std::make_unique<Node>();
  node->info.ai_family = found.family;
  node->info.ai_socktype = type;
  node->info.ai_protocol = protocol;
  node->info.ai_addr = reinterpret_cast<sockaddr*>(&node->address);
  if (found.family == AF_INET) {
    auto* v4 = reinterpret_cast<sockaddr_in*>(&node->address);
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
    v4->sin_addr = found.v4;
    node->info.ai_addrlen = sizeof *v4;
  } else {
    auto* v6 = reinterpret_cast<sockaddr_in6*>(&node->address);
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    v6->sin6_addr = found.v6;
    v6->sin6_scope_id = found.scope;
    node->info.ai_addrlen = sizeof *v6;
  }
  return &node.release()->info;
}

// Every address for every kind of socket that the hints allow.
addrinfo* MakeList(const std::vector<FoundAddress>& addresses, uint16_t port, const addrinfo& hints) {
  addrinfo* first = nullptr;
  addrinfo** next = &first;
  for (const FoundAddress& address : addresses) {
    if (hints.ai_family != AF_UNSPEC && hints.ai_family != address.family) continue;
    for (const auto& [type, protocol] : {std::pair(SOCK_STREAM, IPPROTO_TCP), std::pair(SOCK_DGRAM, IPPROTO_UDP)}) {
      if (hints.ai_socktype != 0 && hints.ai_socktype != type) continue;
      if (hints.ai_protocol != 0 && hints.ai_protocol != protocol) continue;
      *next = MakeNode(address, port, type, protocol);
      next = &(*next)->ai_next;
    }
  }
  return first;
}

// Copies the text if a place is given; false if it is too long for it.
bool Fits(const std::string& text, char* place, socklen_t size) {
  if (place == nullptr || size == 0) return true;
  if (text.size() >= size) return false;
  std::memcpy(place, text.c_str(), text.size() + 1);
  return true;
}

}  // namespace

int LookUpAddresses(const char* host, const char* service, const addrinfo* hints, addrinfo** found) {
  *found = nullptr;
  const addrinfo all{};
  if (hints == nullptr) hints = &all;
  if (host == nullptr && service == nullptr) return EAI_NONAME;
  const std::optional<uint16_t> port = ReadPort(service);
  if (!port) return EAI_SERVICE;

  std::vector<FoundAddress> addresses;
  if (host == nullptr) {
    addresses = OwnAddresses((hints->ai_flags & AI_PASSIVE) != 0);
  } else if (const std::optional<FoundAddress> numeric = ReadNumeric(host)) {
    addresses = {*numeric};
  } else if ((hints->ai_flags & AI_NUMERICHOST) != 0) {
    return EAI_NONAME;
  } else if (IsLocalhost(host)) {
    addresses = OwnAddresses(/*passive=*/false);
  } else {
    NameAnswer answer = LookUpName(host, hints->ai_family);
    if (const int error = ErrorOf(answer)) return error;
    addresses = std::move(answer.addresses);
  }
  *found = MakeList(addresses, *port, *hints);
  return *found == nullptr ? EAI_NONAME : 0;
}

int DescribeAddress(const sockaddr* address, socklen_t size, char* host, socklen_t host_size, char* service,
                    socklen_t service_size, int flags) {
  if ((flags & NI_NAMEREQD) != 0) return EAI_NONAME;
  std::string name;
  uint16_t port = 0;
  char text[INET6_ADDRSTRLEN];
  if (address->sa_family == AF_INET && size >= sizeof(sockaddr_in)) {
    const auto* v4 = reinterpret_cast<const sockaddr_in*>(address);
    name = inet_ntop(AF_INET, &v4->sin_addr, text, sizeof text);
    port = ntohs(v4->sin_port);
  } else if (address->sa_family == AF_INET6 && size >= sizeof(sockaddr_in6)) {
    const auto* v6 = reinterpret_cast<const sockaddr_in6*>(address);
    name = inet_ntop(AF_INET6, &v6->sin6_addr, text, sizeof text);
    char interface[IF_NAMESIZE];
    if (v6->sin6_scope_id != 0 && if_indextoname(v6->sin6_scope_id, interface) != nullptr) {
      name += std::string("%") + interface;
    } else if (v6->sin6_scope_id != 0) {
      name += "%" + std::to_string(v6->sin6_scope_id);
    }
    port = ntohs(v6->sin6_port);
  } else {
    return EAI_FAMILY;
  }
  return Fits(name, host, host_size) && Fits(std::to_string(port), service, service_size) ? 0 : EAI_OVERFLOW;
}

void FreeAddresses(addrinfo* found) {
  while (found != nullptr) {
    addrinfo* const next = found->ai_next;
    delete reinterpret_cast<Node*>(found);  // info is its first member
    found = next;
  }
}

}  // namespace vaquita

// base/testing/own_port.h: ports of 127.0.0.1 on which a test starts servers again and again. For tests only.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <random>

namespace vaquita::testing {

// Returns a port on which nothing listens. It is outside the range from which the kernel gives ports to servers that
// ask for any port. So no other test's server gets it, which clients would take for the server that is down.
inline int OwnPort() {
  constexpr int kFirst = 20'000;  // above those that HBase has by default
  int first_given = 32'768;
  std::ifstream("/proc/sys/net/ipv4/ip_local_port_range") >> first_given;
  std::random_device random;
  for (;;) {
    const int port = kFirst + static_cast<int>(random() % static_cast<unsigned>(first_given - kFirst));
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    const int bound = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool is_free = bind(bound, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    close(bound);
    if (is_free) return port;
  }
}

}  // namespace vaquita::testing

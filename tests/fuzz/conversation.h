// tests/fuzz/conversation.h: one connection to a server in this process, behind a real socket.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace vaquita::fuzz {

inline int ConnectTo(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  while (true) {
    const int client = socket(AF_INET, SOCK_STREAM, 0);
    if (client >= 0 && connect(client, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0) return client;
    if (errno != EINTR) {  // libFuzzer's clock
      std::perror("connect to the server");
      std::abort();
    }
    close(client);
  }
}

// Sends the bytes, and returns the answer's once the server has closed the connection, which it does soon after the
// client has said its last.
inline std::string Converse(int port, std::string_view bytes) {
  const int client = ConnectTo(port);
  const linger at_once{.l_onoff = 1, .l_linger = 0};  // millions of connections would wait in TIME_WAIT
  setsockopt(client, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
  for (ssize_t sent; !bytes.empty() && (sent = send(client, bytes.data(), bytes.size(), MSG_NOSIGNAL)) > 0;) {
    bytes.remove_prefix(sent);
  }
  shutdown(client, SHUT_WR);
  std::string answer;
  char part[4096];
  for (ssize_t received; (received = recv(client, part, sizeof(part), 0)) > 0;) answer.append(part, received);
  close(client);
  return answer;
}

}  // namespace vaquita::fuzz

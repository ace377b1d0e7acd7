// base/testing/raw_socket.h: a connection to a server on this machine, which sends just the bytes that a test wants.
// For tests only.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace vaquita::testing {

class RawSocket {
 public:
  explicit RawSocket(int port, int receive_buffer_bytes = 0) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    const timeval patience{.tv_sec = 20};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (receive_buffer_bytes > 0) {
      setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes, sizeof receive_buffer_bytes);
    }
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  ~RawSocket() { Close(); }
  RawSocket(const RawSocket&) = delete;

  void Close() {
    if (socket_ >= 0) close(std::exchange(socket_, -1));
  }
  int handle() const { return socket_; }

  // Returns false if the server closed the connection.
  bool Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
    return true;
  }
  // Returns so many bytes, or fewer if the server sends no more.
  std::string Read(size_t bytes) {
    std::string read(bytes, '\0');
    const ssize_t got = recv(socket_, read.data(), bytes, MSG_WAITALL);
    read.resize(got < 0 ? 0 : static_cast<size_t>(got));
    return read;
  }
  // Returns everything until the server closes the connection. The test fails if it does not close it.
  std::string ReadToEnd() {
    std::string all;
    char buffer[4096];
    for (ssize_t got; (got = recv(socket_, buffer, sizeof buffer, 0)) != 0; all.append(buffer, got)) {
      if (got > 0) continue;
      EXPECT_EQ(errno, ECONNRESET) << "the server keeps the connection";
      break;
    }
    return all;
  }

 private:
  int socket_;
};

}  // namespace vaquita::testing

// server/frontend/zookeeper/connection.h: one client's socket: frames in, frames out.
//
// It reads a frame only when all but a little of what it sent has been taken, so a client that does not read holds at
// most one reply and its watches' events. A frame's memory grows with the bytes that have come, not with the length
// that was announced. Threads: one, the io_context's. Ownership: the reads and writes under way keep it alive. Source:
// NIOServerCnxn (ZooKeeper).
#pragma once

#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "server/frontend/zookeeper/watches.h"

namespace vaquita::zookeeper {

class Connection;

// What the server does with connections.
class ConnectionHandler {
 public:
  virtual ~ConnectionHandler() = default;
  // A whole frame, without its length. It may send, or close the connection.
  virtual void OnFrame(Connection& connection, std::string_view frame) = 0;
  // The answer to the first four bytes of a connection, if they are a command of an administrator ("ruok"); else empty.
  virtual std::string OnWord(std::string_view word) = 0;
  // It is closed. Called once.
  virtual void OnClosed(Connection& connection) = 0;
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  struct Limits {
    int32_t max_frame_bytes;
    // For the first frame, until Established; and for a client to take what it is still sent at the end.
    std::chrono::milliseconds patience;
  };

  // `handler` outlives it.
  Connection(ConnectionId id, asio::ip::tcp::socket socket, const Limits& limits, ConnectionHandler* handler);

  void Start();
  void Established();  // its session's expiry ends it from now on
  void Send(std::string frame);
  void CloseWhenSent();  // reads no further frame
  void Close();

  ConnectionId id() const { return id_; }
  std::string remote() const;  // "/address:port", as ZooKeeper writes it
  int64_t session_id = 0;      // 0: not established

 private:
  void Wait();
  void ReadLength();
  void OnLength();
  void ReadFrame(size_t length);
  void NextFrame();
  void Write();
  void Drain();

  const ConnectionId id_;
  asio::ip::tcp::socket socket_;
  const Limits limits_;
  ConnectionHandler* const handler_;
  asio::steady_timer deadline_;
  bool first_ = true;    // no frame has come yet
  bool paused_ = false;  // not reading until what was sent is taken
  bool ending_ = false;  // after CloseWhenSent
  bool closed_ = false;
  char length_[4] = {};
  std::string frame_;
  std::string sending_;  // handed to the socket
  std::string pending_;  // waits for it
};

}  // namespace vaquita::zookeeper

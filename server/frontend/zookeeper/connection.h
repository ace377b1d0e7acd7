// server/frontend/zookeeper/connection.h: one client's socket: frames in, frames out.
//
// It reads a frame only when the client has taken all but a little of the output, so a client that does not read holds
// at most one reply and its watches' events. A frame's memory grows with the received bytes, not with the announced
// length. Threads: one, the io_context's. Ownership: pending reads and writes keep it alive. Source: NIOServerCnxn
// (ZooKeeper).
#pragma once

#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/tls/tls_stream.h"
#include "server/frontend/zookeeper/watches.h"

namespace vaquita::zookeeper {

class Connection;

// The server's callbacks for connections.
class ConnectionHandler {
 public:
  virtual ~ConnectionHandler() = default;
  // Called when a frame's length has come.
  virtual void OnFrameBegin(Connection& connection) = 0;
  // Handles a whole frame, without its length. It may send, or close the connection.
  virtual void OnFrame(Connection& connection, std::string_view frame) = 0;
  // Returns the answer to the first four bytes of a connection if they are an administrator's command ("ruok"); else
  // empty.
  virtual std::string OnWord(std::string_view word) = 0;
  // Called once, when the connection is closed.
  virtual void OnClosed(Connection& connection) = 0;
};

// Counts bytes of all connections together. Threads: the connections' own.
struct SharedBytes {
  size_t bytes = 0;
  const size_t most;
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  struct Limits {
    int32_t max_frame_bytes;
    // Both outlive the connection.
    SharedBytes* unfinished;  // in large frames that are not all there
    SharedBytes* unsent;      // in replies and events that the clients have not taken
    // The time for the first frames, until Established, and for a client to take the last output.
    std::chrono::milliseconds patience;
  };

  // `handler` outlives it.
  Connection(ConnectionId id, TlsStream stream, const Limits& limits, ConnectionHandler* handler);

  void Start();
  void Established();  // from now on its session's expiry ends it
  void Send(std::string frame);
  void CloseWhenSent();  // reads no further frame
  void Close();

  ConnectionId id() const { return id_; }
  // Returns whether the client has sent what will be read. It is not, while the client does not take its output.
  bool HasInput() { return !paused_ && !ending_ && stream_.HasInput(); }
  size_t unsent() const { return counted_unsent_; }
  std::string remote() const;  // "/address:port", as ZooKeeper writes it
  int64_t session_id = 0;      // 0: not established
  std::string address;         // the client's, without its port

 private:
  void Wait();
  void ReadLength();
  void OnLength();
  void ReadFrame(size_t length);
  bool CountFrame(size_t bytes);
  void CountUnsent();
  void NextFrame();
  void Write();
  void Drain();

  const ConnectionId id_;
  TlsStream stream_;
  const Limits limits_;
  ConnectionHandler* const handler_;
  asio::steady_timer deadline_;
  bool first_ = true;    // no frame has come yet
  bool paused_ = false;  // not reading until the output is taken
  bool ending_ = false;  // after CloseWhenSent
  bool closed_ = false;
  char length_[4] = {};
  std::string frame_;
  size_t counted_ = 0;         // bytes of frame_ that limits_.unfinished has
  std::string sending_;        // handed to the socket
  std::string pending_;        // waits for it
  size_t counted_unsent_ = 0;  // bytes of both that limits_.unsent has
};

}  // namespace vaquita::zookeeper

// server/frontend/zookeeper/sessions.h: the sessions of clients. A session outlives its connection until its timeout,
// so that a client can resume it.
//
// A session expires when its client was silent for its timeout. The time is checked when the session would expire, so
// requests need no timers. Threads: one, the io_context's. Source: SessionTrackerImpl (ZooKeeper).
#pragma once

#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "server/frontend/zookeeper/watches.h"

namespace vaquita::zookeeper {

struct Session {
  Session(asio::io_context& io, int64_t id) : id(id), expiry(io) {}

  const int64_t id;
  std::string password;  // kPasswordBytes random bytes, which a client needs to resume the session
  std::chrono::milliseconds timeout{};
  std::chrono::steady_clock::time_point last_heard;
  ConnectionId connection = 0;   // 0: not connected; Sessions changes it
  uint64_t disconnected_as = 0;  // its number among those that lost their connection; 0: connected
  asio::steady_timer expiry;
};

class Sessions {
 public:
  // Calls `expired` before a session is removed. It returns false if the client was not silent after all: then the
  // session has its timeout again. `now_ms` makes the ids differ from an earlier server's.
  Sessions(asio::io_context& io, int64_t now_ms, std::function<bool(const Session&)> expired);

  Session* Create(std::chrono::milliseconds timeout);
  Session* Find(int64_t id, std::string_view password);  // null if it does not exist, or if the password is wrong
  Session* Find(int64_t id);
  void Heard(Session* session, std::chrono::milliseconds timeout);  // from now on with that timeout
  void Heard(Session* session) { session->last_heard = std::chrono::steady_clock::now(); }
  void Connect(Session* session, ConnectionId connection);
  void Disconnect(Session* session);
  void Close(int64_t id);
  // Closes the session that has been without a connection for longest. Returns false if all have one.
  bool CloseLongestDisconnected();
  size_t size() const { return sessions_.size(); }

 private:
  void WatchExpiry(Session* session);

  asio::io_context& io_;
  const std::function<bool(const Session&)> expired_;
  int64_t last_id_;
  std::map<int64_t, std::unique_ptr<Session>> sessions_;
  uint64_t last_disconnected_ = 0;
  std::map<uint64_t, int64_t> disconnected_;  // ids, by Session::disconnected_as
};

}  // namespace vaquita::zookeeper

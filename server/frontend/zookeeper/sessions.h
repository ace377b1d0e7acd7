// server/frontend/zookeeper/sessions.h: the sessions of clients. One outlives its connection until its timeout, so that
// a client may come back to it.
//
// A session expires when it has not been heard of for its timeout; the time is looked at when it would expire, so that
// a request costs no timer. Threads: one, the io_context's. Source: SessionTrackerImpl (ZooKeeper).
#pragma once

#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>

#include "server/frontend/zookeeper/watches.h"

namespace vaquita::zookeeper {

struct Session {
  Session(asio::io_context& io, int64_t id) : id(id), expiry(io) {}

  const int64_t id;
  std::string password;  // kPasswordBytes random bytes, which whoever comes back to it must know
  std::chrono::milliseconds timeout{};
  std::chrono::steady_clock::time_point last_heard;
  ConnectionId connection = 0;  // 0: none at the moment
  asio::steady_timer expiry;
};

class Sessions {
 public:
  // `expired` is told of a session before it is gone. `now_ms` makes ids that no earlier server gave.
  Sessions(asio::io_context& io, int64_t now_ms, std::function<void(const Session&)> expired);

  Session* Create(std::chrono::milliseconds timeout);
  Session* Find(int64_t id, std::string_view password);  // null: there is none, or that is not its password
  Session* Find(int64_t id);
  void Heard(Session* session, std::chrono::milliseconds timeout);  // from now on with that timeout
  void Heard(Session* session) { session->last_heard = std::chrono::steady_clock::now(); }
  void Close(int64_t id) { sessions_.erase(id); }
  size_t size() const { return sessions_.size(); }

 private:
  void WatchExpiry(Session* session);

  asio::io_context& io_;
  const std::function<void(const Session&)> expired_;
  int64_t last_id_;
  std::random_device random_;
  std::map<int64_t, std::unique_ptr<Session>> sessions_;
};

}  // namespace vaquita::zookeeper

#include "server/frontend/zookeeper/sessions.h"

#include <utility>

#include "base/random_bytes.h"
#include "proto/zookeeper/protocol.h"

namespace vaquita::zookeeper {

Sessions::Sessions(asio::io_context& io, int64_t now_ms, std::function<bool(const Session&)> expired)
    : io_(io), expired_(std::move(expired)), last_id_(now_ms << 16) {}

Session* Sessions::Create(std::chrono::milliseconds timeout) {
  const int64_t id = ++last_id_;
  Session* session = (sessions_[id] = std::make_unique<Session>(io_, id)).get();
  session->password = RandomBytes(kPasswordBytes);
  Heard(session, timeout);
  return session;
}

Session* Sessions::Find(int64_t id) {
  const auto found = sessions_.find(id);
  return found == sessions_.end() ? nullptr : found->second.get();
}

Session* Sessions::Find(int64_t id, std::string_view password) {
  Session* session = Find(id);
  return session != nullptr && session->password == password ? session : nullptr;
}

void Sessions::Heard(Session* session, std::chrono::milliseconds timeout) {
  Heard(session);
  session->timeout = timeout;
  WatchExpiry(session);
}

void Sessions::Connect(Session* session, ConnectionId connection) {
  disconnected_.erase(std::exchange(session->disconnected_as, 0));
  session->connection = connection;
}

void Sessions::Disconnect(Session* session) {
  session->connection = 0;
  session->disconnected_as = ++last_disconnected_;
  disconnected_[session->disconnected_as] = session->id;
}

void Sessions::Close(int64_t id) {
  if (const Session* session = Find(id)) disconnected_.erase(session->disconnected_as);
  sessions_.erase(id);
}

bool Sessions::CloseLongestDisconnected() {
  if (disconnected_.empty()) return false;
  Close(disconnected_.begin()->second);
  return true;
}

void Sessions::WatchExpiry(Session* session) {
  session->expiry.expires_at(session->last_heard + session->timeout);  // cancels a wait
  session->expiry.async_wait([this, id = session->id](const asio::error_code& error) {
    if (error) return;
    Session* session = Find(id);
    if (session == nullptr) return;
    const bool silent = std::chrono::steady_clock::now() >= session->last_heard + session->timeout;
    if (silent && expired_(*session)) return Close(id);
    if (silent) Heard(session);
    WatchExpiry(session);
  });
}

}  // namespace vaquita::zookeeper

// server/frontend/zookeeper/testing/raw_client.h: a ZooKeeper client that can also send what a real one would not. For
// tests only.
#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <cerrno>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/testing/raw_socket.h"
#include "proto/zookeeper/jute.h"
#include "proto/zookeeper/protocol.h"

namespace vaquita::zookeeper::testing {

struct Reply {
  int32_t xid = 0;
  int64_t zxid = 0;
  ErrorCode error = ErrorCode::kOk;
  std::string body;
};

struct Event {
  EventType type{};
  std::string path;
  friend bool operator==(const Event&, const Event&) = default;
};

struct SessionTicket {
  int64_t id = 0;
  int32_t timeout_ms = 0;
  std::string password = std::string(kPasswordBytes, '\0');
};

class RawClient : public vaquita::testing::RawSocket {
 public:
  using RawSocket::RawSocket;

  void SendBytes(std::string_view bytes) { RawSocket::Send(bytes); }
  void SendFrame(std::string_view body) {
    std::string frame;
    JuteWriter(&frame).Buffer(body);
    SendBytes(frame);
  }
  // Reads a frame, or returns nullopt if the server has closed the connection.
  std::optional<std::string> ReadFrame() {
    const std::optional<std::string> length = ReadBytes(4);
    return length ? ReadBytes(JuteReader(*length).Int()) : std::nullopt;
  }

  static std::string ConnectRequest(int32_t timeout_ms, const SessionTicket& ticket = {}) {
    std::string request;
    JuteWriter(&request).Int(0).Long(0).Int(timeout_ms).Long(ticket.id).Buffer(ticket.password).Bool(false);
    return request;
  }
  SessionTicket Connect(int32_t timeout_ms = 10'000, const SessionTicket& ticket = {}) {
    SendFrame(ConnectRequest(timeout_ms, ticket));
    SessionTicket session;
    const std::optional<std::string> response = ReadFrame();
    EXPECT_TRUE(response.has_value());
    if (!response) return session;
    JuteReader in(*response);
    EXPECT_EQ(in.Int(), 0);
    session.timeout_ms = in.Int();
    session.id = in.Long();
    session.password = std::string(in.Buffer());
    EXPECT_FALSE(in.Bool());
    EXPECT_TRUE(in.ok() && in.AtEnd());
    return session;
  }

  void Send(int32_t xid, OpCode op, std::string_view body = "") {
    std::string request;
    JuteWriter(&request).Int(xid).Int(static_cast<int32_t>(op));
    SendFrame(request.append(body));
  }
  // Reads the reply, and keeps events that come before it for NextEvent.
  Reply Receive() {
    for (;;) {
      const std::optional<std::string> frame = ReadFrame();
      if (!frame) {
        ADD_FAILURE() << "the server has closed the connection";
        return {};
      }
      Reply reply = ParseReply(*frame);
      if (reply.xid != kNotificationXid) return reply;
      events_.push_back(ParseEvent(reply));
    }
  }
  Reply Call(OpCode op, std::string_view body = "") {
    Send(++last_xid_, op, body);
    const Reply reply = Receive();
    EXPECT_EQ(reply.xid, last_xid_);
    return reply;
  }
  Reply Call(OpCode op, std::string_view path, bool watch) {
    std::string body;
    JuteWriter(&body).String(path).Bool(watch);
    return Call(op, body);
  }

  Event NextEvent() {
    if (events_.empty()) {
      const std::optional<std::string> frame = ReadFrame();
      EXPECT_TRUE(frame.has_value());
      if (frame) events_.push_back(ParseEvent(ParseReply(*frame)));
    }
    if (events_.empty()) return {};
    const Event event = events_.front();
    events_.erase(events_.begin());
    return event;
  }
  // Returns the events that came before the reply to a ping.
  std::vector<Event> EventsSoFar() {
    Call(OpCode::kPing);
    return std::exchange(events_, {});
  }

 private:
  static Reply ParseReply(const std::string& frame) {
    JuteReader in(frame);
    Reply reply;
    reply.xid = in.Int();
    reply.zxid = in.Long();
    reply.error = static_cast<ErrorCode>(in.Int());
    EXPECT_TRUE(in.ok());
    reply.body = frame.substr(16);
    return reply;
  }
  static Event ParseEvent(const Reply& reply) {
    EXPECT_EQ(reply.xid, kNotificationXid);
    EXPECT_EQ(reply.zxid, -1);
    JuteReader in(reply.body);
    Event event;
    event.type = static_cast<EventType>(in.Int());
    EXPECT_EQ(in.Int(), kStateSyncConnected);
    event.path = std::string(in.String());
    EXPECT_TRUE(in.ok() && in.AtEnd());
    return event;
  }
  std::optional<std::string> ReadBytes(size_t count) {
    std::string bytes(count, '\0');
    for (size_t done = 0; done < count;) {
      const ssize_t got = recv(handle(), bytes.data() + done, count - done, 0);
      if (got <= 0) {
        EXPECT_TRUE(got == 0 || errno == ECONNRESET) << "no answer";
        return std::nullopt;
      }
      done += got;
    }
    return bytes;
  }

  int32_t last_xid_ = 0;
  std::vector<Event> events_;
};

}  // namespace vaquita::zookeeper::testing

// client/hbase/rpc_connection.h: one connection of HBase's RPC.
//
// It connects by itself. When it breaks, every call on it fails, and the next call needs a new connection. Answers come
// in any order, and are matched to calls by number. Threads: the one that does the I/O.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "asio/buffer.hpp"
#include "asio/io_context.hpp"
#include "asio/ip/tcp.hpp"
#include "asio/steady_timer.hpp"
#include "base/tls/tls_stream.h"
#include "client/hbase/pending_call.h"
#include "client/hbase/rpc_client.h"
#include "hbase/RPC.pb.h"
#include "proto/hbase/pb.h"

namespace vaquita::client {

class RpcConnection : public std::enable_shared_from_this<RpcConnection> {
 public:
  RpcConnection(asio::io_context& io, RpcTarget target, std::shared_ptr<TlsContext> tls, std::string user);

  void Open();
  // Calls that are queued go out together, with Flush.
  // REQUIRES: !broken().
  void Queue(std::shared_ptr<PendingCall> call);
  void Flush();
  // Drops a call whose caller has given up.
  void Forget(uint32_t id) { calls_.erase(id); }
  bool broken() const { return state_ == State::kBroken; }
  void Break(const absl::Status& why);

 private:
  enum class State { kConnecting, kOpen, kBroken };
  static constexpr size_t kInputBytes = 16 << 10;
  struct Sent {
    std::shared_ptr<PendingCall> call;
    bool written = false;  // handed to the socket: the server may have it
  };

  void Connect(const asio::ip::tcp::resolver::results_type& endpoints);
  void Resolve(const std::string& host, const std::string& port);
  void BeginTls();
  void BeginSession();
  void WriteQueued();
  void WriteRest(size_t written);
  void EndWrite();
  void Read();
  bool TakeBytes(std::string_view bytes);
  bool TakeAnswer(std::string frame);
  void TakeException(const pb::ResponseHeader& header);
  std::shared_ptr<PendingCall> TakeCall(uint32_t id);  // null: its caller has given up
  absl::Status Unreachable(const std::string& why) const;

  const RpcTarget target_;
  const std::string user_;
  std::string host_;
  asio::ip::tcp::resolver resolver_;
  const std::shared_ptr<TlsContext> tls_;  // null: without
  TlsStream stream_;
  asio::steady_timer connect_timer_;
  State state_ = State::kConnecting;
  std::unordered_map<uint32_t, Sent> calls_;           // calls that wait for an answer
  std::deque<std::shared_ptr<PendingCall>> queue_;     // not written yet
  std::vector<std::shared_ptr<PendingCall>> writing_;  // the socket is taking their bytes
  std::string preamble_;
  std::vector<asio::const_buffer> output_;  // the bytes of writing_
  std::array<char, kInputBytes> input_;     // bytes that came behind the end of frame_
  std::array<char, 4> length_;              // the next frame's
  size_t length_filled_ = 0;
  // An answer that has not come whole. Large ones get memory as their bytes come.
  std::string frame_;
  size_t frame_filled_ = 0;
  size_t frame_bytes_ = 0;  // when it is whole
};

}  // namespace vaquita::client

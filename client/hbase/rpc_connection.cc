#include "client/hbase/rpc_connection.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "asio/buffer.hpp"
#include "asio/connect.hpp"
#include "asio/post.hpp"
#include "asio/write.hpp"
#include "base/big_endian.h"
#include "base/host_port.h"
#include "base/status.h"
#include "base/whole_number.h"
#include "proto/hbase/frame.h"
#include "proto/hbase/status_codec.h"

namespace vaquita::client {
namespace {

using asio::ip::tcp;

// hbase.ipc.client.socket.timeout.connect
constexpr std::chrono::seconds kRpcConnectTimeout{10};
// No server sends a larger frame, so a larger length is not HBase's.
constexpr size_t kMaxFrameBytes = 1 << 30;
// A frame has so much memory before its bytes come: a usual answer is smaller. A larger one grows twice as large each
// time, so that a length alone costs the client little.
constexpr size_t kFrameBytesAhead = 4 << 20;

// The preamble and the ConnectionHeader's frame.
std::string Introduction(const std::string& service, const std::string& user) {
  std::string bytes(hbase::kRpcMagic);
  bytes.push_back(static_cast<char>(hbase::kRpcVersion));
  bytes.push_back(static_cast<char>(hbase::kSimpleAuth));
  pb::ConnectionHeader header;
  header.mutable_user_info()->set_effective_user(user);
  header.set_service_name(service);
  header.set_cell_block_codec_class("org.apache.hadoop.hbase.codec.KeyValueCodec");
  const std::string message = header.SerializeAsString();
  AppendBigEndian(static_cast<uint32_t>(message.size()), &bytes);
  return bytes + message;
}

}  // namespace

RpcConnection::RpcConnection(asio::io_context& io, RpcTarget target, std::shared_ptr<TlsContext> tls, std::string user)
    : target_(std::move(target)),
      user_(std::move(user)),
      host_(HostIn(target_.address)),
      resolver_(io),
      tls_(std::move(tls)),
      stream_(io),
      connect_timer_(io) {}

void RpcConnection::Open() {
  const size_t colon = target_.address.rfind(':');
  const std::string port = colon == std::string::npos ? "" : target_.address.substr(colon + 1);
  connect_timer_.expires_after(kRpcConnectTimeout);
  connect_timer_.async_wait([self = shared_from_this()](asio::error_code error) {
    if (!error && self->state_ == State::kConnecting) self->Break(self->Unreachable("timed out"));
  });
  Resolve(host_, port);
}

void RpcConnection::Resolve(const std::string& host, const std::string& port) {
  asio::error_code is_name;
  const asio::ip::address address = asio::ip::make_address(host, is_name);
  uint16_t number = 0;
  if (!ReadWholeNumber(port, &number) || number == 0) {  // a look-up would cut it to 16 bits
    return asio::post(resolver_.get_executor(), [self = shared_from_this(), port] {
      self->Break(self->Unreachable("its port is '" + port + "'"));
    });
  }
  if (!is_name) {  // needs no thread that looks names up
    return Connect(tcp::resolver::results_type::create(tcp::endpoint(address, number), host, port));
  }
  resolver_.async_resolve(host, port,
                          [self = shared_from_this()](asio::error_code error, tcp::resolver::results_type endpoints) {
                            if (self->broken()) return;
                            if (error) return self->Break(self->Unreachable(error.message()));
                            self->Connect(endpoints);
                          });
}

void RpcConnection::Connect(const tcp::resolver::results_type& endpoints) {
  asio::async_connect(stream_.socket(), endpoints,
                      [self = shared_from_this()](asio::error_code error, const tcp::endpoint&) {
                        if (self->broken()) return;
                        if (error) return self->Break(self->Unreachable(error.message()));
                        self->BeginTls();
                      });
}

void RpcConnection::BeginTls() {
  stream_.Handshake(tls_.get(), host_, [self = shared_from_this()](const std::string& why) {
    if (self->broken()) return;
    if (!why.empty()) return self->Break(self->Unreachable("TLS: " + why));
    self->BeginSession();
  });
}

void RpcConnection::BeginSession() {
  connect_timer_.cancel();
  state_ = State::kOpen;
  asio::error_code ignored;
  stream_.socket().set_option(tcp::no_delay(true), ignored);
  stream_.socket().set_option(asio::socket_base::keep_alive(true), ignored);
  stream_.socket().non_blocking(true, ignored);  // so that a send takes what it can at once
  preamble_ = Introduction(target_.service, user_);
  Read();
  WriteQueued();
}

void RpcConnection::Queue(std::shared_ptr<PendingCall> call) {
  calls_.emplace(call->id, Sent{call});
  queue_.push_back(std::move(call));
}

void RpcConnection::Flush() {
  if (state_ == State::kOpen && writing_.empty()) WriteQueued();
}

// Writes all queued calls at once; calls that are queued meanwhile go next.
void RpcConnection::WriteQueued() {
  if (!preamble_.empty()) output_.push_back(asio::buffer(preamble_));
  while (!queue_.empty()) {
    std::shared_ptr<PendingCall> call = std::move(queue_.front());
    queue_.pop_front();
    const auto sent = calls_.find(call->id);
    if (sent == calls_.end()) continue;  // given up already
    sent->second.written = true;
    output_.push_back(asio::buffer(call->head));
    if (!call->cells.empty()) output_.push_back(asio::buffer(call->cells));
    writing_.push_back(std::move(call));
  }
  if (writing_.empty()) return output_.clear();  // the preamble goes with the first call
  if (tls_ != nullptr) return WriteRest(0);
  asio::error_code error;
  const size_t written = stream_.socket().send(output_, /*flags=*/0, error);  // nearly always takes all
  if (error && error != asio::error::would_block) return Break(Unreachable(error.message()));
  if (written == asio::buffer_size(output_)) return EndWrite();
  WriteRest(written);
}

void RpcConnection::WriteRest(size_t written) {
  std::vector<asio::const_buffer> rest = std::move(output_);
  for (asio::const_buffer& buffer : rest) {
    const size_t gone = std::min(written, buffer.size());
    buffer += gone;
    written -= gone;
  }
  asio::async_write(stream_, rest, [self = shared_from_this()](asio::error_code error, size_t) {
    if (self->broken()) return;
    if (error) return self->Break(self->Unreachable(error.message()));
    self->EndWrite();
    if (!self->queue_.empty()) self->WriteQueued();
  });
}

void RpcConnection::EndWrite() {
  preamble_.clear();
  writing_.clear();
  output_.clear();
}

// Reads whatever comes next: mostly a whole answer, by one call of the system. The rest of an answer that has come in
// part goes straight to its place.
void RpcConnection::Read() {
  const std::array<asio::mutable_buffer, 2> buffers = {
      asio::buffer(frame_.data() + frame_filled_, frame_.size() - frame_filled_), asio::buffer(input_)};
  stream_.async_read_some(buffers, [self = shared_from_this()](asio::error_code error, size_t size) {
    if (self->broken()) return;
    if (error) return self->Break(self->Unreachable(error.message()));
    const size_t of_frame = std::min(size, self->frame_.size() - self->frame_filled_);
    self->frame_filled_ += of_frame;
    if (!self->TakeBytes({self->input_.data(), size - of_frame})) {
      return self->Break(self->Unreachable("sent an answer that is not HBase's"));
    }
    if (!self->broken()) self->Read();
  });
}

// Handles the answers that are complete by `bytes`, which follow those of frame_. Returns false if one is malformed.
bool RpcConnection::TakeBytes(std::string_view bytes) {
  while (!broken()) {
    if (length_filled_ < length_.size()) {
      const size_t of_length = bytes.copy(length_.data() + length_filled_, length_.size() - length_filled_);
      length_filled_ += of_length;
      bytes.remove_prefix(of_length);
      if (length_filled_ < length_.size()) return true;
      frame_bytes_ = GetBigEndian<uint32_t>(length_.data());
      if (frame_bytes_ > kMaxFrameBytes) return false;
    }
    if (frame_filled_ == frame_.size()) {
      frame_.resize(std::min(frame_bytes_, std::max(kFrameBytesAhead, 2 * frame_filled_)));
    }
    const size_t of_frame = bytes.copy(frame_.data() + frame_filled_, frame_.size() - frame_filled_);
    frame_filled_ += of_frame;
    bytes.remove_prefix(of_frame);
    if (frame_filled_ < frame_.size()) return true;
    if (frame_filled_ < frame_bytes_) continue;
    length_filled_ = frame_filled_ = 0;
    if (!TakeAnswer(std::exchange(frame_, {}))) return false;
  }
  return true;
}

// Handles an answer. Returns false if its bytes are malformed.
bool RpcConnection::TakeAnswer(std::string frame) {
  std::string_view rest = frame;
  std::string_view part;
  pb::ResponseHeader header;
  if (!hbase::TakeDelimited(&rest, &part) || !ParseMessage(part, &header)) return false;
  if (header.has_exception()) {
    TakeException(header);
    return true;
  }
  if (!hbase::TakeDelimited(&rest, &part) || header.cell_block_meta().length() > rest.size()) return false;
  const std::shared_ptr<PendingCall> call = TakeCall(header.call_id());
  if (call == nullptr) return true;
  const auto answer_at = static_cast<size_t>(part.data() - frame.data());
  call->Succeed(std::move(frame), answer_at, part.size(), header.cell_block_meta().length());
  return true;
}

void RpcConnection::TakeException(const pb::ResponseHeader& header) {
  const absl::Status status = DecodeStatus(header.exception());
  if (header.call_id() == hbase::kNoCallId) return Break(status);  // the server refuses the connection
  if (const std::shared_ptr<PendingCall> call = TakeCall(header.call_id())) call->Fail({status});
}

std::shared_ptr<PendingCall> RpcConnection::TakeCall(uint32_t id) {
  const auto found = calls_.find(id);
  if (found == calls_.end()) return nullptr;
  std::shared_ptr<PendingCall> call = std::move(found->second.call);
  calls_.erase(found);
  return call;
}

void RpcConnection::Break(const absl::Status& why) {
  if (broken()) return;
  state_ = State::kBroken;
  resolver_.cancel();
  connect_timer_.cancel();
  asio::error_code ignored;
  stream_.socket().close(ignored);
  queue_.clear();
  for (auto& [id, sent] : std::exchange(calls_, {})) sent.call->Fail({why, /*may_have_run=*/sent.written});
}

absl::Status RpcConnection::Unreachable(const std::string& why) const {
  const char* const doing = state_ == State::kConnecting ? "cannot connect to " : "connection to ";
  return absl::UnavailableError(absl::StrCat(doing, target_.address, ": ", why));
}

}  // namespace vaquita::client

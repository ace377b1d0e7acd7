#include "server/frontend/zookeeper/connection.h"

#include <algorithm>
#include <asio/buffer.hpp>
#include <asio/read.hpp>
#include <asio/write.hpp>
#include <utility>

#include "base/host_port.h"
#include "proto/zookeeper/jute.h"

namespace vaquita::zookeeper {
namespace {

constexpr size_t kReadStepBytes = 64 << 10;     // a frame's memory grows by this,
constexpr size_t kSmallFrameBytes = 4 << 10;    // and begins with this, which is not counted
constexpr size_t kMaxUnsentBytes = 64 << 10;    // with more than that, no frame is read
constexpr int32_t kMaxFirstFrameBytes = 1'000;  // a ConnectRequest has 45

}  // namespace

Connection::Connection(ConnectionId id, TlsStream stream, const Limits& limits, ConnectionHandler* handler)
    : id_(id), stream_(std::move(stream)), limits_(limits), handler_(handler), deadline_(stream_.get_executor()) {}

void Connection::Start() {
  asio::error_code ignored;
  stream_.socket().set_option(asio::ip::tcp::no_delay(true), ignored);
  Wait();
  ReadLength();
}

void Connection::Established() { deadline_.cancel(); }

void Connection::Wait() {
  deadline_.expires_after(limits_.patience);
  deadline_.async_wait([self = shared_from_this()](const asio::error_code& error) {
    if (!error) self->Close();
  });
}

void Connection::ReadLength() {
  asio::async_read(stream_, asio::buffer(length_), [self = shared_from_this()](const asio::error_code& error, size_t) {
    if (self->closed_) return;
    if (error) return self->Close();
    self->OnLength();
  });
}

void Connection::OnLength() {
  const std::string_view bytes(length_, sizeof(length_));
  if (std::string answer = first_ ? handler_->OnWord(bytes) : ""; !answer.empty()) {
    Send(std::move(answer));
    CloseWhenSent();
    return;
  }
  const int32_t length = JuteReader(bytes).Int();
  if (length < 0 || length > (first_ ? kMaxFirstFrameBytes : limits_.max_frame_bytes)) return Close();
  frame_.clear();
  handler_->OnFrameBegin(*this);
  ReadFrame(length);
}

void Connection::ReadFrame(size_t length) {
  const size_t read = frame_.size();
  if (read == length) {
    first_ = false;
    const std::string frame = std::exchange(frame_, {});
    CountFrame(0);
    handler_->OnFrame(*this, frame);
    return NextFrame();
  }
  const size_t room = std::min(length, read == 0 ? kSmallFrameBytes : read + kReadStepBytes);
  if (!CountFrame(room)) return Close();
  frame_.resize(room);
  asio::async_read(stream_, asio::buffer(frame_.data() + read, frame_.size() - read),
                   [self = shared_from_this(), length](const asio::error_code& error, size_t) {
                     if (self->closed_) return;
                     if (error) return self->Close();
                     self->ReadFrame(length);
                   });
}

// Returns whether the unfinished frame may have so many bytes.
bool Connection::CountFrame(size_t bytes) {
  const size_t counted = bytes > kSmallFrameBytes ? bytes : 0;
  SharedBytes& all = *limits_.unfinished;
  if (counted > counted_ && all.bytes - counted_ + counted > all.most) return false;
  all.bytes += counted - counted_;
  counted_ = counted;
  return true;
}

void Connection::NextFrame() {
  if (closed_ || ending_) return;
  paused_ = sending_.size() + pending_.size() > kMaxUnsentBytes;
  if (!paused_) ReadLength();
}

void Connection::Send(std::string frame) {
  if (closed_ || ending_) return;
  pending_.append(frame);
  if (sending_.empty()) Write();
  CountUnsent();
}

void Connection::CountUnsent() {
  const size_t unsent = closed_ ? 0 : sending_.size() + pending_.size();
  limits_.unsent->bytes += unsent - std::exchange(counted_unsent_, unsent);
}

void Connection::Write() {
  sending_ = std::exchange(pending_, {});
  asio::async_write(stream_, asio::buffer(sending_),
                    [self = shared_from_this()](const asio::error_code& error, size_t) {
                      std::string().swap(self->sending_);  // an assignment would keep its memory
                      self->CountUnsent();
                      if (self->closed_) return;
                      if (error) return self->Close();
                      if (!self->pending_.empty()) return self->Write();
                      if (self->ending_) return self->Drain();
                      if (self->paused_) self->NextFrame();
                    });
}

void Connection::CloseWhenSent() {
  if (closed_ || ending_) return;
  ending_ = true;
  Wait();
  if (sending_.empty()) Drain();
}

// Closing with bytes unread would reset the connection, and the client might lose the last reply. So it closes first.
void Connection::Drain() {
  stream_.ShutDownOutput();
  stream_.async_read_some(asio::buffer(length_), [self = shared_from_this()](const asio::error_code& error, size_t) {
    if (self->closed_) return;
    if (error) return self->Close();
    self->Drain();
  });
}

void Connection::Close() {
  if (std::exchange(closed_, true)) return;
  asio::error_code ignored;
  stream_.socket().close(ignored);
  deadline_.cancel();
  CountFrame(0);
  CountUnsent();
  handler_->OnClosed(*this);
}

std::string Connection::remote() const {
  asio::error_code error;
  const asio::ip::tcp::endpoint endpoint = stream_.socket().remote_endpoint(error);
  return error ? "/unknown" : "/" + JoinHostPort(endpoint.address().to_string(), endpoint.port());
}

}  // namespace vaquita::zookeeper

#include "base/tls/tls_stream.h"

#include <asio/error.hpp>
#include <asio/post.hpp>
#include <cerrno>

namespace vaquita {

void TlsStream::Handshake(TlsContext* context, const std::string& host, HandshakeHandler done) {
  if (context == nullptr) return done("");
  std::error_code error;
  socket_.native_non_blocking(true, error);
  session_ = context->NewSession(socket_.native_handle(), host);
  GoOn(std::move(done));
}

void TlsStream::GoOn(HandshakeHandler done) {
  if (!socket_.is_open()) return done(std::error_code(asio::error::bad_descriptor).message());
  const TlsSession::Step step = session_->Handshake();
  if (step == TlsSession::Step::kDone) return done("");
  if (step == TlsSession::Step::kFailed) return done(session_->error());
  const auto wait = step == TlsSession::Step::kReads ? asio::socket_base::wait_read : asio::socket_base::wait_write;
  socket_.async_wait(wait, [this, done = std::move(done)](const std::error_code& error) {
    error ? done(error.message()) : GoOn(done);
  });
}

void TlsStream::Receive(char* bytes, size_t size, Handler done) {
  if (!socket_.is_open()) return Finish(std::move(done), asio::error::bad_descriptor, 0);
  const ssize_t received = session_->Receive(bytes, size);
  if (received > 0 || size == 0) return Finish(std::move(done), {}, static_cast<size_t>(received));
  if (received == 0) return Finish(std::move(done), asio::error::eof, 0);
  if (errno != EAGAIN) return Finish(std::move(done), {errno, std::system_category()}, 0);
  socket_.async_wait(asio::socket_base::wait_read, [this, bytes, size, done](const std::error_code& error) {
    error ? done(error, 0) : Receive(bytes, size, done);
  });
}

void TlsStream::Send(const char* bytes, size_t size, Handler done) {
  if (!socket_.is_open()) return Finish(std::move(done), asio::error::bad_descriptor, 0);
  const ssize_t sent = session_->Send(bytes, size);
  if (sent >= 0) return Finish(std::move(done), {}, static_cast<size_t>(sent));
  if (errno != EAGAIN) return Finish(std::move(done), {errno, std::system_category()}, 0);
  socket_.async_wait(asio::socket_base::wait_write, [this, bytes, size, done](const std::error_code& error) {
    error ? done(error, 0) : Send(bytes, size, done);
  });
}

// As Asio: a handler never runs within the call that began the operation.
void TlsStream::Finish(Handler done, const std::error_code& error, size_t size) {
  asio::post(socket_.get_executor(), [done = std::move(done), error, size] { done(error, size); });
}

bool TlsStream::HasInput() {
  std::error_code ignored;
  return socket_.available(ignored) > 0 || (session_ != nullptr && session_->HasInput());
}

void TlsStream::ShutDownOutput() {
  if (!socket_.is_open()) return;
  if (session_ != nullptr) session_->EndOutput();
  std::error_code ignored;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
}

}  // namespace vaquita

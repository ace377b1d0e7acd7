// base/tls/tls_stream.h: a connection with TLS or without, as a stream of Asio's: async_read, async_write.
//
// Without TLS it is the socket itself. Once the socket is closed, operations fail with bad_descriptor, those under way
// too: the descriptor may be another connection's by then. Threads: one, that of the socket's context; pending
// operations keep their handlers, and so whoever these keep.
#pragma once

#include <asio/buffer.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <functional>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "base/tls/tls_context.h"
#include "base/tls/tls_session.h"

namespace vaquita {

class TlsStream {
 public:
  using executor_type = asio::ip::tcp::socket::executor_type;
  using Handler = std::function<void(const std::error_code&, size_t)>;
  // `why`: empty, or why it has failed.
  using HandshakeHandler = std::function<void(const std::string& why)>;

  // A socket that is not connected yet.
  explicit TlsStream(asio::io_context& io) : socket_(io) {}
  // `session`: null, or of that socket, after its handshake.
  TlsStream(asio::ip::tcp::socket socket, std::shared_ptr<TlsSession> session)
      : socket_(std::move(socket)), session_(std::move(session)) {}

  asio::ip::tcp::socket& socket() { return socket_; }
  const asio::ip::tcp::socket& socket() const { return socket_; }
  executor_type get_executor() { return socket_.get_executor(); }
  // As TlsSession::PeerName; "" without TLS.
  std::string peer_name() const { return session_ == nullptr ? "" : session_->PeerName(); }

  // Makes the handshake of a client, once the socket is connected. Null `context`: there is none to make.
  void Handshake(TlsContext* context, const std::string& host, HandshakeHandler done);

  template <typename Buffers, typename Done>
  void async_read_some(const Buffers& buffers, Done&& done) {
    if (session_ == nullptr) {
      socket_.async_read_some(buffers, std::forward<Done>(done));
      return;
    }
    const asio::mutable_buffer buffer = First<asio::mutable_buffer>(buffers);
    Receive(static_cast<char*>(buffer.data()), buffer.size(), Handler(std::forward<Done>(done)));
  }
  template <typename Buffers, typename Done>
  void async_write_some(const Buffers& buffers, Done&& done) {
    if (session_ == nullptr) {
      socket_.async_write_some(buffers, std::forward<Done>(done));
      return;
    }
    const asio::const_buffer buffer = First<asio::const_buffer>(buffers);
    Send(static_cast<const char*>(buffer.data()), buffer.size(), Handler(std::forward<Done>(done)));
  }
  // Returns whether bytes have come that were not read yet.
  bool HasInput();
  // Tells the other side that nothing more comes.
  void ShutDownOutput();

 private:
  template <typename Buffer, typename Buffers>
  static Buffer First(const Buffers& buffers) {
    const auto end = asio::buffer_sequence_end(buffers);
    for (auto each = asio::buffer_sequence_begin(buffers); each != end; ++each) {
      if (Buffer(*each).size() > 0) return *each;
    }
    return Buffer();
  }
  void GoOn(HandshakeHandler done);
  void Receive(char* bytes, size_t size, Handler done);
  void Send(const char* bytes, size_t size, Handler done);
  void Finish(Handler done, const std::error_code& error, size_t size);

  asio::ip::tcp::socket socket_;
  std::shared_ptr<TlsSession> session_;
};

}  // namespace vaquita

// base/tls/tls_session.h: the TLS of one connection, whose socket does not block and belongs to the caller.
//
// Errors are those of recv and send: a result of -1 with errno, EAGAIN if it would wait. Threads: any; calls of two
// threads run one after the other, which OpenSSL requires.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

struct ssl_st;
struct ssl_ctx_st;

namespace vaquita {

class TlsSession {
 public:
  enum class Step {
    kDone,
    kReads,   // call it again when the socket is readable
    kWrites,  // when it is writable
    kFailed,  // error() says why
  };

  // As TlsContext::NewSession.
  TlsSession(ssl_ctx_st* context, int socket, bool client, const std::string& host);

  Step Handshake();
  // Returns why the handshake has failed, in one line.
  std::string error() const { return error_; }
  // Returns whether the other side's certificate is for this address or name; true if it has none.
  bool IsPeerAt(const std::string& host) const;
  // Returns the common name in the other side's certificate, which the handshake has verified; "" if it has none.
  std::string PeerName() const;

  ssize_t Receive(char* bytes, size_t size);  // 0: the end of the stream
  ssize_t Send(const char* bytes, size_t size);
  // Returns whether bytes have come that the socket does not show any more: Receive is to be called without waiting.
  bool HasInput();
  // Tells the other side that nothing more comes.
  void EndOutput();

 private:
  std::string Describe(int error) const;
  bool WouldWait(int result);

  struct Free {
    void operator()(ssl_st* ssl) const;
  };
  std::mutex mutex_;
  const std::unique_ptr<ssl_st, Free> ssl_;
  const std::string host_;
  bool drained_ = false;  // the last Receive had to wait for the socket
  std::string error_;
};

}  // namespace vaquita

#include "base/tls/tls_session.h"

#include <arpa/inet.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "base/tls/openssl.h"

namespace vaquita {
namespace {

// OpenSSL's own way to a socket raises a signal when the other side has gone.
int SendBytes(BIO* bio, const char* bytes, int size) {
  int socket = -1;
  BIO_get_fd(bio, &socket);
  const ssize_t sent = send(socket, bytes, static_cast<size_t>(size), MSG_NOSIGNAL);
  BIO_clear_retry_flags(bio);
  if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) BIO_set_retry_write(bio);
  return static_cast<int>(sent);
}

BIO* NewSocketBio(int socket) {
  static BIO_METHOD* const kMethod = [] {
    const BIO_METHOD* const own = BIO_s_socket();
    BIO_METHOD* const method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK | BIO_TYPE_DESCRIPTOR, "socket");
    BIO_meth_set_create(method, BIO_meth_get_create(own));
    BIO_meth_set_destroy(method, BIO_meth_get_destroy(own));
    BIO_meth_set_read(method, BIO_meth_get_read(own));
    BIO_meth_set_ctrl(method, BIO_meth_get_ctrl(own));
    BIO_meth_set_write(method, &SendBytes);
    return method;
  }();
  BIO* const bio = BIO_new(kMethod);
  BIO_set_fd(bio, socket, BIO_NOCLOSE);
  return bio;
}

bool IsAddress(const std::string& host) {
  unsigned char bytes[sizeof(in6_addr)];
  return inet_pton(AF_INET, host.c_str(), bytes) == 1 || inet_pton(AF_INET6, host.c_str(), bytes) == 1;
}

}  // namespace

void TlsSession::Free::operator()(ssl_st* ssl) const { SSL_free(ssl); }

TlsSession::TlsSession(ssl_ctx_st* context, int socket, bool client, const std::string& host)
    : ssl_(SSL_new(context)), host_(host) {
  BIO* const bio = NewSocketBio(socket);
  SSL_set_bio(ssl_.get(), bio, bio);
  client ? SSL_set_connect_state(ssl_.get()) : SSL_set_accept_state(ssl_.get());
  if (host.empty()) return;
  if (IsAddress(host)) {
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl_.get()), host.c_str());
  } else {
    SSL_set1_host(ssl_.get(), host.c_str());
    SSL_set_tlsext_host_name(ssl_.get(), host.c_str());
  }
}

TlsSession::Step TlsSession::Handshake() {
  std::lock_guard lock(mutex_);
  ERR_clear_error();
  errno = 0;
  const int result = SSL_do_handshake(ssl_.get());
  if (result == 1) return Step::kDone;
  switch (const int error = SSL_get_error(ssl_.get(), result)) {
    case SSL_ERROR_WANT_READ:
      return Step::kReads;
    case SSL_ERROR_WANT_WRITE:
      return Step::kWrites;
    default:
      error_ = Describe(error);
      ERR_clear_error();
      return Step::kFailed;
  }
}

std::string TlsSession::Describe(int error) const {
  if (error == SSL_ERROR_SYSCALL || error == SSL_ERROR_ZERO_RETURN) {
    return errno != 0 ? std::strerror(errno) : "the other side has closed the connection during TLS's handshake";
  }
  if (const long result = SSL_get_verify_result(ssl_.get()); result != X509_V_OK) {
    const std::string why = X509_verify_cert_error_string(result);
    const bool other_host = result == X509_V_ERR_HOSTNAME_MISMATCH || result == X509_V_ERR_IP_ADDRESS_MISMATCH;
    return other_host ? absl::StrCat("the certificate is not for ", host_) : "the certificate is refused: " + why;
  }
  switch (ERR_GET_REASON(ERR_peek_error())) {
    case SSL_R_WRONG_VERSION_NUMBER:
    case SSL_R_HTTP_REQUEST:
    case SSL_R_UNEXPECTED_MESSAGE:
      return "the other side does not speak TLS";
    case SSL_R_UNEXPECTED_EOF_WHILE_READING:
      return "the other side has closed the connection during TLS's handshake";
    case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE:
      return "the client has no certificate, and hbase.server.netty.tls.client.auth.mode is NEED";
    case SSL_R_NO_SHARED_CIPHER:
      return "no cipher in common; see hbase.rpc.tls.ciphersuites";
    case SSL_R_UNSUPPORTED_PROTOCOL:
      return "no version of TLS in common; see hbase.rpc.tls.enabledProtocols";
    default:
      return openssl::TakeError();
  }
}

bool TlsSession::IsPeerAt(const std::string& host) const {
  const openssl::Certificate certificate(SSL_get1_peer_certificate(ssl_.get()));
  if (certificate == nullptr) return true;
  if (IsAddress(host)) return X509_check_ip_asc(certificate.get(), host.c_str(), 0) == 1;
  return !host.empty() && X509_check_host(certificate.get(), host.data(), host.size(), 0, nullptr) == 1;
}

std::string TlsSession::PeerName() const {
  const openssl::Certificate certificate(SSL_get1_peer_certificate(ssl_.get()));
  if (certificate == nullptr || SSL_get_verify_result(ssl_.get()) != X509_V_OK) return "";
  X509_NAME* const subject = X509_get_subject_name(certificate.get());
  const int at = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
  if (at < 0) return "";
  unsigned char* text = nullptr;
  const int size = ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at)));
  if (size < 0) return "";
  std::string name(reinterpret_cast<const char*>(text), static_cast<size_t>(size));
  OPENSSL_free(text);
  return name;
}

// Sets errno for a call that returned `result`, 0 or less. Returns false at the end of the stream.
bool TlsSession::WouldWait(int result) {
  const int system = errno;
  const int error = SSL_get_error(ssl_.get(), result);
  ERR_clear_error();
  if (error == SSL_ERROR_ZERO_RETURN) return false;
  const bool waits = error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE;
  errno = waits ? EAGAIN : error == SSL_ERROR_SYSCALL && system != 0 ? system : EPROTO;
  return true;
}

ssize_t TlsSession::Receive(char* bytes, size_t size) {
  std::lock_guard lock(mutex_);
  size_t received = 0;
  drained_ = false;
  while (received < size) {
    ERR_clear_error();
    errno = 0;
    const int room = static_cast<int>(std::min<size_t>(size - received, INT_MAX));
    const int result = SSL_read(ssl_.get(), bytes + received, room);
    if (result > 0) {
      received += static_cast<size_t>(result);
      continue;
    }
    drained_ = true;
    const bool goes_on = WouldWait(result);
    if (received > 0) {
      if (!goes_on || errno != EAGAIN) drained_ = false;  // the next call tells
      break;
    }
    return goes_on ? -1 : 0;
  }
  return static_cast<ssize_t>(received);
}

ssize_t TlsSession::Send(const char* bytes, size_t size) {
  std::lock_guard lock(mutex_);
  if (size == 0) return 0;
  ERR_clear_error();
  errno = 0;
  const int result = SSL_write(ssl_.get(), bytes, static_cast<int>(std::min<size_t>(size, INT_MAX)));
  if (result > 0) return result;
  if (!WouldWait(result)) errno = EPIPE;
  return -1;
}

bool TlsSession::HasInput() {
  std::lock_guard lock(mutex_);
  return !drained_ && (SSL_has_pending(ssl_.get()) == 1 || (SSL_get_shutdown(ssl_.get()) & SSL_RECEIVED_SHUTDOWN) != 0);
}

void TlsSession::EndOutput() {
  std::lock_guard lock(mutex_);
  SSL_shutdown(ssl_.get());
  ERR_clear_error();
}

}  // namespace vaquita

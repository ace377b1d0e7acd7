// server/frontend/hbase/rpc/wire.h: a connection's bytes on their way to and from the socket: as they are, by TLS, or
// wrapped as SASL's exchange has agreed.
//
// Without both a call is the system call and two comparisons. Threads: as the socket.
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include <cstddef>
#include <span>

#include "base/tls/tls_session.h"
#include "server/frontend/hbase/rpc/sasl_stream.h"

namespace vaquita::hbase {

struct Wire {
  // These do not wait: they return -1 with errno EAGAIN instead.
  ssize_t Receive(char* bytes, size_t size) const {
    if (sasl != nullptr) return sasl->Receive({.socket = socket, .tls = tls}, bytes, size);
    return tls == nullptr ? recv(socket, bytes, size, MSG_DONTWAIT) : tls->Receive(bytes, size);
  }
  ssize_t Send(std::span<iovec> pieces) const {
    const auto* const first = static_cast<const char*>(pieces[0].iov_base);
    if (sasl != nullptr) return sasl->Send({.socket = socket, .tls = tls}, first, pieces[0].iov_len);
    if (tls != nullptr) return tls->Send(first, pieces[0].iov_len);
    msghdr message = {};
    message.msg_iov = pieces.data();
    message.msg_iovlen = pieces.size();
    return sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  }

  // Returns whether bytes have come that the socket does not show any more: Receive is to be called without waiting.
  bool HasInput() const { return (sasl != nullptr && sasl->HasInput()) || (tls != nullptr && tls->HasInput()); }

  int socket = -1;
  TlsSession* tls = nullptr;   // null: without
  SaslStream* sasl = nullptr;  // null: bytes are not wrapped
};

}  // namespace vaquita::hbase

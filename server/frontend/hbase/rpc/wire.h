// server/frontend/hbase/rpc/wire.h: a connection's bytes on their way to and from the socket: as they are, or by TLS.
//
// Without TLS a call is the system call and one comparison. Threads: as the socket.
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include <cstddef>
#include <span>

#include "base/tls/tls_session.h"

namespace vaquita::hbase {

struct Wire {
  // These do not wait: they return -1 with errno EAGAIN instead.
  ssize_t Receive(char* bytes, size_t size) const {
    return tls == nullptr ? recv(socket, bytes, size, MSG_DONTWAIT) : tls->Receive(bytes, size);
  }
  ssize_t Send(std::span<iovec> pieces) const {
    if (tls != nullptr) return tls->Send(static_cast<const char*>(pieces[0].iov_base), pieces[0].iov_len);
    msghdr message = {};
    message.msg_iov = pieces.data();
    message.msg_iovlen = pieces.size();
    return sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  }

  int socket = -1;
  TlsSession* tls = nullptr;  // null: without
};

}  // namespace vaquita::hbase

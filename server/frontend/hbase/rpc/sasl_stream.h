// server/frontend/hbase/rpc/sasl_stream.h: a connection's bytes, wrapped by what client and server agreed on by SASL.
//
// Each way, the bytes are cut into messages: four bytes with the length of the wrapped message, then the message. Where
// the cuts are means nothing. Threads: as the socket: one receives, and one at a time sends.
// Source: SaslWrapHandler, SaslUnwrapHandler (HBase 2.6).
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/sasl/sasl_server.h"

namespace vaquita::hbase {

struct Wire;

class SaslStream {
 public:
  // `received`: wrapped bytes that came already. `most_bytes`: a larger message breaks the connection.
  SaslStream(std::shared_ptr<SaslServer> sasl, std::string_view received, size_t most_bytes);

  // As Wire's, over `below`; EPROTO if a message's protection is broken. EAGAIN in the middle of a large message, even
  // if there is more of it: so the caller sees how much it takes before it is whole.
  ssize_t Receive(const Wire& below, char* bytes, size_t size);
  ssize_t Send(const Wire& below, const char* bytes, size_t size);
  // Returns whether Receive has bytes, or may have them, without the socket.
  bool HasInput() const { return read_ < plain_.size() || MessageIsThere(); }
  // The size of the messages that were received in part, or are not taken yet.
  size_t buffered() const { return wrapped_.size() + plain_.size() - read_; }
  // The memory of received messages, which is more than buffered() while a message is there in part.
  size_t memory() const { return wrapped_.capacity() + plain_.capacity(); }

 private:
  bool MessageIsThere() const;
  void DropWrapped(size_t size);
  void Reserve(size_t size);
  bool UnwrapNext();  // false, with errno, if it cannot
  bool ReceiveMore(const Wire& below);

  const std::shared_ptr<SaslServer> sasl_;
  const size_t most_bytes_;
  std::string wrapped_;  // received
  std::string plain_;    // the last message, of which Receive has given read_ bytes
  size_t read_ = 0;
  std::string sending_;  // a wrapped message that the socket has not taken all of: sent_ bytes are gone
  size_t sent_ = 0;
  size_t sending_plain_bytes_ = 0;  // the caller's bytes in it
};

}  // namespace vaquita::hbase

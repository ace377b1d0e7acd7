#include "server/frontend/hbase/rpc/sasl_stream.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include "base/absl_text.h"
#include "base/big_endian.h"
#include "base/log.h"
#include "server/frontend/hbase/rpc/wire.h"

namespace vaquita::hbase {
namespace {

constexpr size_t kLengthBytes = 4;
// A message has as much of the answers as the JDK's own buffers for SASL have.
constexpr size_t kMostPlainBytes = 64 << 10;
constexpr size_t kReceivedAtOnce = 64 << 10;
// A buffer with more is made anew for a smaller message.
constexpr size_t kMostKeptCapacity = 4 * kReceivedAtOnce;
// After as many messages without a byte in them it is another connection's turn.
constexpr int kMostEmptyMessages = 64;
// After as many reads, too: a client may send faster than it is read from, and then no read would find nothing.
constexpr int kMostReads = 2;

}  // namespace

SaslStream::SaslStream(std::shared_ptr<SaslServer> sasl, std::string_view received, size_t most_bytes)
    : sasl_(std::move(sasl)), most_bytes_(most_bytes), wrapped_(received) {}

bool SaslStream::MessageIsThere() const {
  return wrapped_.size() >= kLengthBytes && wrapped_.size() - kLengthBytes >= GetBigEndian<uint32_t>(wrapped_.data());
}

bool SaslStream::UnwrapNext() {
  const size_t length = GetBigEndian<uint32_t>(wrapped_.data());
  auto plain = sasl_->Unwrap(std::string_view(wrapped_).substr(kLengthBytes, length));
  if (!plain.ok()) {
    spdlog::warn("a client's connection is closed: {}", StdText(plain.status().message()));
    errno = EPROTO;
    return false;
  }
  plain_ = *std::move(plain);
  read_ = 0;
  DropWrapped(kLengthBytes + length);
  return true;
}

// Drops bytes from the front. A large message leaves no memory behind.
void SaslStream::DropWrapped(size_t size) {
  if (wrapped_.capacity() <= kMostKeptCapacity) {
    wrapped_.erase(0, size);
    return;
  }
  std::string rest(wrapped_, size);
  wrapped_.swap(rest);
}

// Makes room for `size` bytes. The memory doubles, as a string's does, but not beyond the message that is under way.
void SaslStream::Reserve(size_t size) {
  if (size <= wrapped_.capacity()) return;
  size_t wanted = 2 * wrapped_.capacity();
  if (wrapped_.size() >= kLengthBytes) {
    const size_t message = kLengthBytes + GetBigEndian<uint32_t>(wrapped_.data());
    wanted = std::min(wanted, message + kReceivedAtOnce);
  }
  std::string larger;
  larger.reserve(std::max(size, wanted));
  larger.append(wrapped_);
  wrapped_.swap(larger);
}

bool SaslStream::ReceiveMore(const Wire& below) {
  if (wrapped_.size() >= kLengthBytes && GetBigEndian<uint32_t>(wrapped_.data()) > most_bytes_) {
    spdlog::warn("a client's connection is closed: a message of {} bytes; {} are the most",
                 GetBigEndian<uint32_t>(wrapped_.data()), most_bytes_);
    errno = EPROTO;
    return false;
  }
  const size_t before = wrapped_.size();
  Reserve(before + kReceivedAtOnce);
  wrapped_.resize(before + kReceivedAtOnce);
  const ssize_t received = below.Receive(wrapped_.data() + before, kReceivedAtOnce);
  wrapped_.resize(before + static_cast<size_t>(std::max<ssize_t>(received, 0)));
  if (received == 0) errno = 0;
  return received > 0;
}

ssize_t SaslStream::Receive(const Wire& below, char* bytes, size_t size) {
  for (int messages = 0, reads = 0; read_ == plain_.size();) {
    if (MessageIsThere()) {
      if (messages++ == kMostEmptyMessages) {
        errno = EAGAIN;  // HasInput tells of the rest
        return -1;
      }
      if (!UnwrapNext()) return -1;
    } else if (reads++ == kMostReads) {
      errno = EAGAIN;  // the socket, or the TLS below, shows what else there is
      return -1;
    } else if (!ReceiveMore(below)) {
      return errno == 0 ? 0 : -1;
    }
  }
  const size_t given = std::min(size, plain_.size() - read_);
  std::memcpy(bytes, plain_.data() + read_, given);
  read_ += given;
  if (read_ == plain_.size()) {
    plain_.clear();
    read_ = 0;
    if (plain_.capacity() > kMostKeptCapacity || wrapped_.empty()) plain_.shrink_to_fit();
    if (wrapped_.empty()) wrapped_.shrink_to_fit();  // an idle connection has no buffers
  }
  return static_cast<ssize_t>(given);
}

// Returns the bytes as taken when the socket has all of their message. Until then the caller gets EAGAIN, and calls
// again with the same bytes, as with TLS.
ssize_t SaslStream::Send(const Wire& below, const char* bytes, size_t size) {
  if (sending_.empty()) {
    sending_plain_bytes_ = std::min(size, kMostPlainBytes);
    const auto wrapped = sasl_->Wrap({bytes, sending_plain_bytes_});
    if (!wrapped.ok()) {
      spdlog::warn("a client's connection is closed: {}", StdText(wrapped.status().message()));
      errno = EPROTO;
      return -1;
    }
    AppendBigEndian<uint32_t>(static_cast<uint32_t>(wrapped->size()), &sending_);
    sending_ += *wrapped;
    sent_ = 0;
  }
  while (sent_ < sending_.size()) {
    iovec rest = {.iov_base = sending_.data() + sent_, .iov_len = sending_.size() - sent_};
    const ssize_t taken = below.Send({&rest, 1});
    if (taken < 0) return -1;
    sent_ += static_cast<size_t>(taken);
  }
  sending_.clear();
  return static_cast<ssize_t>(sending_plain_bytes_);
}

}  // namespace vaquita::hbase

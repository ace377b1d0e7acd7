#include "server/frontend/hbase/rpc/output_queue.h"

#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace vaquita::hbase {
namespace {

constexpr size_t kPieceBytes = 16 << 10;
constexpr size_t kPiecesAtOnce = 64;

}  // namespace

void OutputQueue::Append(std::string bytes) {
  if (bytes.empty()) return;
  bytes_ += bytes.size();
  if (!pieces_.empty() && pieces_.back().size() + bytes.size() <= kPieceBytes) {
    pieces_.back().append(bytes);
  } else {
    pieces_.push_back(std::move(bytes));
  }
}

void OutputQueue::AppendAll(OutputQueue* other) {
  for (std::string& piece : other->pieces_) Append(std::move(piece));
  other->pieces_.clear();
  other->bytes_ = 0;
}

bool OutputQueue::Write(const Wire& wire) {
  while (bytes_ > 0) {
    iovec vectors[kPiecesAtOnce];
    const size_t count = std::min(pieces_.size(), kPiecesAtOnce);
    for (size_t i = 0; i < count; ++i) vectors[i] = {pieces_[i].data(), pieces_[i].size()};
    vectors[0].iov_base = pieces_[0].data() + written_;
    vectors[0].iov_len -= written_;
    const ssize_t sent = wire.Send({vectors, count});
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    RemoveFront(static_cast<size_t>(sent));
  }
  return true;
}

void OutputQueue::RemoveFront(size_t size) {
  bytes_ -= size;
  written_ += size;
  while (!pieces_.empty() && written_ >= pieces_.front().size()) {
    written_ -= pieces_.front().size();
    pieces_.pop_front();
  }
}

}  // namespace vaquita::hbase

#include "server/frontend/hbase/rpc/input_buffer.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace vaquita::hbase {
namespace {

constexpr size_t kSmallest = 1 << 10;
// Memory that is not written to costs nothing, so that a frame up to this size is never copied as it grows.
constexpr size_t kAtOnce = 4 << 20;

}  // namespace

ssize_t InputBuffer::Receive(const Wire& wire, std::span<char> scratch) {
  if (bytes_.empty()) {
    Clear();
    const ssize_t received = wire.Receive(scratch.data(), scratch.size());
    if (received > 0) bytes_ = {scratch.data(), static_cast<size_t>(received)};
    return received;
  }
  Reserve();
  const size_t end = static_cast<size_t>(bytes_.data() - memory_.get()) + bytes_.size();
  size_t room = capacity_ - end;
  if (expected_ > bytes_.size()) room = std::min(room, expected_ - bytes_.size());  // so that it can be given away
  const ssize_t received = wire.Receive(memory_.get() + end, room);
  if (received > 0) bytes_ = {bytes_.data(), bytes_.size() + static_cast<size_t>(received)};
  return received;
}

void InputBuffer::Reserve() {
  const size_t wanted = std::max({kSmallest, 2 * bytes_.size(), std::min(expected_, kAtOnce)});
  const size_t size = expected_ > bytes_.size() ? std::min(wanted, expected_) : wanted;
  const bool fits = IsKept() && bytes_.data() + bytes_.size() < memory_.get() + capacity_;
  if (fits && (expected_ == 0 || capacity_ - static_cast<size_t>(bytes_.data() - memory_.get()) >= size)) return;
  auto memory = std::make_unique_for_overwrite<char[]>(size);
  std::memcpy(memory.get(), bytes_.data(), bytes_.size());
  bytes_ = {memory.get(), bytes_.size()};
  memory_ = std::move(memory);
  capacity_ = size;
}

void InputBuffer::Consume(size_t size) {
  bytes_.remove_prefix(size);
  expected_ = 0;
}

OwnedFrame InputBuffer::Take(size_t size) {
  OwnedFrame frame;
  if (IsKept() && bytes_.size() == size) {
    frame = {std::move(memory_), bytes_};
    bytes_ = {};
    Clear();
    return frame;
  }
  frame.memory = std::make_unique_for_overwrite<char[]>(size);
  std::memcpy(frame.memory.get(), bytes_.data(), size);
  frame.bytes = {frame.memory.get(), size};
  Consume(size);
  return frame;
}

void InputBuffer::Keep() {
  if (bytes_.empty()) return Clear();
  if (!IsKept()) Reserve();
}

void InputBuffer::Clear() {
  bytes_ = {};
  memory_.reset();
  capacity_ = 0;
  expected_ = 0;
}

}  // namespace vaquita::hbase

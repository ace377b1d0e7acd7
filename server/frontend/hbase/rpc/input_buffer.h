// server/frontend/hbase/rpc/input_buffer.h: the bytes that a connection has received and not handled yet.
//
// An idle connection has none: bytes are received into its thread's scratch space and handled there, and only a part of
// a frame is kept. A large frame is received straight into its own memory, which grows with the received bytes, not
// with the announced length. Threads: one at a time.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "server/frontend/hbase/rpc/wire.h"

namespace vaquita::hbase {

// The bytes of one frame, with their owner.
struct OwnedFrame {
  std::unique_ptr<char[]> memory;
  std::string_view bytes;
};

class InputBuffer {
 public:
  // Receives once, without waiting. Returns the number of bytes, 0 at the end of the stream, or -1 with errno.
  ssize_t Receive(const Wire& wire, std::span<char> scratch);

  // Returns the bytes. The view lives until the next call of another method.
  std::string_view bytes() const { return bytes_; }
  void Consume(size_t size);
  // Consumes `size` bytes and gives them away, without a copy if there are no others.
  OwnedFrame Take(size_t size);
  // Sets the size of the frame at the front.
  void Expect(size_t size) { expected_ = size; }
  // Moves the bytes out of the scratch space, which another connection needs.
  void Keep();
  void Clear();

 private:
  // Makes room for at least one more byte.
  void Reserve();
  bool IsKept() const { return bytes_.data() >= memory_.get() && bytes_.data() < memory_.get() + capacity_; }

  std::string_view bytes_;  // in the scratch space or in memory_
  std::unique_ptr<char[]> memory_;
  size_t capacity_ = 0;
  size_t expected_ = 0;  // the size of the frame at the front, if it is known and incomplete
};

}  // namespace vaquita::hbase

// server/frontend/hbase/rpc/input_buffer.h: what a connection has received and not handled yet.
//
// A connection that waits has none: bytes are received into its thread's scratch space and handled there, and only what
// is left of a frame is kept. A large frame is received straight into memory of its own, which grows with what arrives
// rather than with what was announced. Threads: none of its own; one owner.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace vaquita::hbase {

// The bytes of one frame, with who keeps them.
struct OwnedFrame {
  std::unique_ptr<char[]> memory;
  std::string_view bytes;
};

class InputBuffer {
 public:
  // Receives once, without waiting: the bytes that came, 0 at the end of the stream, -1 with errno otherwise.
  ssize_t Receive(int socket, std::span<char> scratch);

  // What is there. The view lives until the next call of a method other than this.
  std::string_view bytes() const { return bytes_; }
  void Consume(size_t size);
  // Consumes `size` bytes and gives them away, without a copy if they are all that is there.
  OwnedFrame Take(size_t size);
  // Says that the frame at the front has `size` bytes.
  void Expect(size_t size) { expected_ = size; }
  // Moves what is there out of the scratch space, which another connection needs.
  void Keep();
  void Clear();

 private:
  // Makes room for at least one byte after those that are there.
  void Reserve();
  bool IsKept() const { return bytes_.data() >= memory_.get() && bytes_.data() < memory_.get() + capacity_; }

  std::string_view bytes_;  // in the scratch space or in memory_
  std::unique_ptr<char[]> memory_;
  size_t capacity_ = 0;
  size_t expected_ = 0;  // the size of the frame at the front, if it is known and not all there
};

}  // namespace vaquita::hbase

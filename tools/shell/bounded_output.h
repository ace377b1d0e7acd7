// tools/shell/bounded_output.h: keeps the output of a shell's commands, up to a size and a time.
//
// Threads: one.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ostream>
#include <streambuf>
#include <string>
#include <utility>

namespace vaquita::shell {

class BoundedOutput {
 public:
  // Keeps the first `most_bytes`; the rest is dropped. Commands may take any time before the first Restart().
  explicit BoundedOutput(size_t most_bytes) : buffer_(most_bytes) {}

  // Drops the output so far. The next command may take `most_time`.
  void Restart(std::chrono::milliseconds most_time) {
    buffer_.text.clear();
    buffer_.full = false;
    ends_ = std::chrono::steady_clock::now() + most_time;
  }

  std::ostream* stream() { return &stream_; }
  const std::string& text() const { return buffer_.text; }
  std::string TakeText() && { return std::move(buffer_.text); }
  // Returns whether output was dropped.
  bool is_cut() const { return buffer_.full; }
  // Returns whether later output is dropped, so that a command may end.
  bool IsFull() const { return buffer_.full || std::chrono::steady_clock::now() >= ends_; }

 private:
  struct Buffer final : std::streambuf {
    explicit Buffer(size_t most_bytes) : most(most_bytes) {}
    std::streamsize xsputn(const char* bytes, std::streamsize count) override {
      const size_t room = most - text.size();
      text.append(bytes, std::min(room, static_cast<size_t>(count)));
      full = full || static_cast<size_t>(count) > room;
      return count;
    }
    int_type overflow(int_type byte) override {
      const char as_char = traits_type::to_char_type(byte);
      xsputn(&as_char, 1);
      return byte;
    }
    const size_t most;
    std::string text;
    bool full = false;
  };

  Buffer buffer_;
  std::ostream stream_{&buffer_};
  std::chrono::steady_clock::time_point ends_ = std::chrono::steady_clock::time_point::max();
};

}  // namespace vaquita::shell

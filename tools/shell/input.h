// tools/shell/input.h: sources of the shell's lines.
//
// Threads: one.
#pragma once

#include <istream>
#include <optional>
#include <ostream>
#include <string>

namespace vaquita::shell {

class Input {
 public:
  virtual ~Input() = default;
  // Returns the next line, without its end; nullopt at the end of the input.
  virtual std::optional<std::string> ReadLine(const std::string& prompt) = 0;
  // Returns whether the user broke off the last line (Ctrl-C). The command typed so far is then dropped.
  virtual bool interrupted() const { return false; }
};

// Reads a file or a pipe. It prints prompts and lines, so that the output reads like a session, as HBase's does.
class StreamInput : public Input {
 public:
  // Both must outlive this.
  StreamInput(std::istream* in, std::ostream* out) : in_(*in), out_(*out) {}
  std::optional<std::string> ReadLine(const std::string& prompt) override;

 private:
  std::istream& in_;
  std::ostream& out_;
};

}  // namespace vaquita::shell

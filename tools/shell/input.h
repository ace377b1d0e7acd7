// tools/shell/input.h: where the shell's lines come from.
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
  // The next line, without its end; none at the end of the input.
  virtual std::optional<std::string> ReadLine(const std::string& prompt) = 0;
  // Whether the last line was broken off (Ctrl-C), so that what was typed so far is to be forgotten.
  virtual bool interrupted() const { return false; }
};

// A file or a pipe. Prompts and lines are printed, so that the output reads like a session, as HBase's does.
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

#include "tools/shell/input.h"

namespace vaquita::shell {

std::optional<std::string> StreamInput::ReadLine(const std::string& prompt) {
  out_ << prompt;
  std::string line;
  if (!std::getline(in_, line)) {
    out_ << "\n";
    return std::nullopt;
  }
  if (line.ends_with('\r')) line.pop_back();
  out_ << line << "\n";
  return line;
}

}  // namespace vaquita::shell

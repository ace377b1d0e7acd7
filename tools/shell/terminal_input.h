// tools/shell/terminal_input.h: reads lines from a terminal, with editing, history and completion (libedit). Where the
// C library has no locale with UTF-8, the terminal edits, and there is no history or completion.
#pragma once

#include <memory>
#include <string>

#include "tools/shell/completion.h"
#include "tools/shell/input.h"

namespace vaquita::shell {

class TerminalInput : public Input {
 public:
  // Reads the history from `history_path` and adds to it; an empty path means no history.
  static std::unique_ptr<TerminalInput> Open(const std::string& history_path, CompletionWords words);
  // Returns the terminal's width in characters.
  virtual size_t Width() const = 0;
};

}  // namespace vaquita::shell

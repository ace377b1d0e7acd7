// tools/shell/terminal_input.h: lines typed at a terminal, with editing, history and completion (libedit).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/shell/input.h"

namespace vaquita::shell {

// All words that may stand where `quoted` says: between quotes (tables), or not (commands and constants).
using CompletionWords = std::function<std::vector<std::string>(bool quoted)>;

// What the tab key should insert, given the text before the cursor: the rest of the only word that fits, or of what all
// that fit have in common; and those that fit, when there are several.
struct Completion {
  std::string insert;
  std::vector<std::string> choices;
};
Completion Complete(std::string_view before_cursor, const CompletionWords& words);

class TerminalInput : public Input {
 public:
  // Reads the history from `history_path` and adds to it; empty: no history is kept.
  static std::unique_ptr<TerminalInput> Open(const std::string& history_path, CompletionWords words);
  // The terminal's width in characters.
  virtual size_t Width() const = 0;
};

}  // namespace vaquita::shell

// tools/shell/terminal_input.h: reads lines from a terminal, with editing, history and completion (libedit). Where the
// C library has no locale with UTF-8, the terminal edits, and there is no history or completion.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/shell/input.h"

namespace vaquita::shell {

// Returns the words for completion: between quotes tables, elsewhere commands and constants.
using CompletionWords = std::function<std::vector<std::string>(bool quoted)>;

// The effect of the tab key on the text before the cursor: the rest to insert, of the only word that fits or of the
// common prefix of all that fit; and the words that fit if they are several.
struct Completion {
  std::string insert;
  std::vector<std::string> choices;
};
Completion Complete(std::string_view before_cursor, const CompletionWords& words);

class TerminalInput : public Input {
 public:
  // Reads the history from `history_path` and adds to it; an empty path means no history.
  static std::unique_ptr<TerminalInput> Open(const std::string& history_path, CompletionWords words);
  // Returns the terminal's width in characters.
  virtual size_t Width() const = 0;
};

}  // namespace vaquita::shell

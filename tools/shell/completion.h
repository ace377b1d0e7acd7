// tools/shell/completion.h: the words that complete a line that is being typed.
//
// Threads: any.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "client/admin.h"

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

// Returns the cluster's tables if `quoted`, else commands and constants.
std::vector<std::string> WordsToComplete(client::Admin& admin, bool quoted);

}  // namespace vaquita::shell

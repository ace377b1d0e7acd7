#include "tools/shell/completion.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "tools/shell/command.h"
#include "tools/shell/constants.h"

namespace vaquita::shell {
namespace {

bool IsWordByte(char c) {
  const bool in_utf8 = static_cast<unsigned char>(c) >= 0x80;
  return in_utf8 || absl::ascii_isalnum(c) || c == '_' || c == ':' || c == '-' || c == '.';
}

// Returns whether the text ends inside a string.
bool EndsQuoted(std::string_view text) {
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0 && c == '\\') {
      ++i;
    } else if (quote != 0 ? c == quote : c == '\'' || c == '"') {
      quote = quote != 0 ? 0 : c;
    }
  }
  return quote != 0;
}

}  // namespace

Completion Complete(std::string_view before_cursor, const CompletionWords& words) {
  size_t start = before_cursor.size();
  while (start > 0 && IsWordByte(before_cursor[start - 1])) --start;
  const std::string_view prefix = before_cursor.substr(start);
  Completion completion;
  for (std::string& word : words(EndsQuoted(before_cursor))) {
    if (word.starts_with(prefix)) completion.choices.push_back(std::move(word));
  }
  if (completion.choices.empty()) return completion;
  std::string common = completion.choices[0];
  for (const std::string& word : completion.choices) {
    const size_t same = std::mismatch(common.begin(), common.end(), word.begin(), word.end()).first - common.begin();
    common.resize(same);
  }
  completion.insert = common.substr(prefix.size());
  return completion;
}

std::vector<std::string> WordsToComplete(client::Admin& admin, bool quoted) {
  std::vector<std::string> words;
  if (quoted) {
    const auto tables = admin.ListTableNames();
    if (!tables.ok()) return words;
    for (const TableName& table : *tables) words.push_back(table.ToString());
    return words;
  }
  for (const CommandGroup& group : CommandGroups()) {
    for (const Command& command : group.commands) words.push_back(command.name);
  }
  for (const std::string_view constant : ConstantNames()) words.emplace_back(constant);
  for (const char* word : {"desc", "exit", "help", "quit"}) words.push_back(word);
  return words;
}

}  // namespace vaquita::shell

#include "tools/shell/ruby_words.h"

#include <cstddef>
#include <set>
#include <vector>

namespace vaquita::shell {

bool IsKeyword(const std::string& word) {
  static const std::set<std::string> kWords = {
      "def",   "class", "module", "if",    "unless", "while", "until",  "for",    "do",    "end",
      "begin", "case",  "return", "yield", "lambda", "proc",  "rescue", "ensure", "then",  "else",
      "elsif", "when",  "self",   "and",   "or",     "not",   "in",     "break",  "next",  "redo",
      "retry", "eval",  "nil",    "true",  "false",  "alias", "undef",  "super",  "system"};
  return kWords.contains(word);
}

bool BeginsExpression(const std::string& word) {
  static const std::set<std::string> kWords = {"if",     "unless", "while", "until", "for",  "begin", "case", "def",
                                               "return", "yield",  "not",   "break", "next", "nil",   "true", "false"};
  return kWords.contains(word);
}

int PrecedenceOf(const std::string& op) {
  static const std::vector<std::set<std::string>> kLevels = {
      {"..", "..."}, {"||"},          {"&&"}, {"==", "!=", "<=>"}, {"<", "<=", ">", ">="}, {"|"}, {"&"}, {"<<"},
      {"+", "-"},    {"*", "/", "%"}, {"**"}};
  for (size_t level = 0; level < kLevels.size(); ++level) {
    if (kLevels[level].contains(op)) return static_cast<int>(level) + 1;
  }
  return 0;
}

}  // namespace vaquita::shell

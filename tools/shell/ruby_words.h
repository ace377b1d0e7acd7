// tools/shell/ruby_words.h: the keywords and the operators of the shell's language. For the other ruby_*.cc alone.
//
// Threads: functions.
#pragma once

#include <string>

namespace vaquita::shell {

// Returns whether nothing else can be called by this word.
bool IsKeyword(const std::string& word);
// Returns whether the keyword begins an expression which this shell runs.
bool BeginsExpression(const std::string& word);
// Returns the precedence of a binary operator, 1 for the loosest; 0 if it is none.
int PrecedenceOf(const std::string& op);

}  // namespace vaquita::shell

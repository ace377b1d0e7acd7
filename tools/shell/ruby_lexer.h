// tools/shell/ruby_lexer.h: splits the shell's language (ruby_reader.h) into tokens.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/shell/ruby_reader.h"

namespace vaquita::shell {

struct Token {
  enum class Kind {
    kIdentifier,   // text: a name that starts with a small letter or '_'
    kConstant,     // text: a name that starts with a capital letter
    kLabel,        // text: the name of `name:` or `"name":`
    kValue,        // value: a number, string or symbol
    kPunctuation,  // text: one of , ( ) [ ] { } = => .
    kEnd,          // a newline or ';' that may end a statement
    kEndOfText,
  };
  Kind kind = Kind::kEndOfText;
  std::string text;
  Value value;
  Place place;
  bool space_before = false;

  bool Is(std::string_view punctuation) const { return kind == Kind::kPunctuation && text == punctuation; }
};

struct LexResult {
  std::vector<Token> tokens;  // the last one is kEndOfText
  char open_string = 0;       // the quote of a string that does not end
  int open_brackets = 0;      // at the end of the text
  bool open_line = false;     // the text ends with a backslash
  std::string error;          // at `place`; the tokens are those before it
  Place place;
};

LexResult LexRuby(std::string_view text);

}  // namespace vaquita::shell

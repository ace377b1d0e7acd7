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
    kText,         // parts: a string with #{...}
    kWords,        // value: the array that %w[...] is
    kPunctuation,  // text: a bracket, an operator, or one of , . : ? | =>
    kEnd,          // a newline or ';' that may end a statement
    kEndOfText,
  };
  Kind kind = Kind::kEndOfText;
  std::string text;
  // A piece of a string, or, if it is code, the text between #{ and }.
  struct Part {
    std::string text;
    bool code = false;
    Place place;  // where the code begins
  };
  std::vector<Part> parts;
  Value value;
  Place place;
  bool space_before = false;
  bool block = false;  // a { that begins a block, and not a hash

  bool Is(std::string_view punctuation) const { return kind == Kind::kPunctuation && text == punctuation; }
};

struct LexResult {
  std::vector<Token> tokens;  // the last one is kEndOfText
  char open_string = 0;       // the quote, or the bracket of %w[, that would end an open string; 0: none is open
  std::string brackets;       // those that are open at the end of the text, the innermost last; 'b': a block's brace
  bool open_line = false;     // the text ends with a backslash
  std::string error;          // at `place`; the tokens are those before it
  Place place;
};

// `begin` is the place of the first character, and `brackets` those that are open before it.
LexResult LexRuby(std::string_view text, Place begin = {}, std::string brackets = "");

}  // namespace vaquita::shell

// tools/shell/ruby_reader.h: reads the part of Ruby that people type at the HBase shell.
//
//   create 't', {NAME => 'f', VERSIONS => 5}, SPLITS => ['a', "b\x00"]   # commands with or without parentheses
//   t = get_table 't'; t.put 'r', 'f:q', 'v'                             # variables, and commands on a table
//   5; 'text'; [1, nil, true]; VERSIONS                                  # values, which the shell echoes
//
// Strings are Ruby's: 'single' knows \\ and \' only, "double" knows \n, \x41, \101, \u00e9 and the like; neighbours are
// joined. A line that ends inside brackets, a string, or after a comma goes on in the next one. Other Ruby (methods,
// operators, blocks, #{}, ...) is refused with its place. Threads: any.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tools/shell/value.h"

namespace vaquita::shell {

// A place in the text, counted from 1. Columns count bytes.
struct Place {
  int line = 1;
  int column = 1;
  friend bool operator==(const Place&, const Place&) = default;
};

struct Expression {
  enum class Kind { kLiteral, kConstant, kVariable, kArray, kHash };
  Kind kind = Kind::kLiteral;
  Value literal;                  // kLiteral
  std::string name;               // kConstant, kVariable
  std::vector<Expression> items;  // kArray: elements; kHash: key, value, key, value, ...
};

// A command with its arguments. A word alone is a call too: the interpreter knows whether it is a variable.
struct Call {
  std::string receiver;  // the variable before the dot; empty: none
  std::string command;
  std::vector<Expression> arguments;
};

struct Statement {
  std::string assign_to;  // the variable that takes the result; empty: none
  std::variant<Call, Expression> action;
};

struct ReadResult {
  enum class State {
    kComplete,
    kIncomplete,  // more lines are needed
    kError,
  };
  State state = State::kComplete;
  std::vector<Statement> statements;
  // Set for kIncomplete, for the prompt: the open element ('\'' or '"' for a string, '*' otherwise), and the number of
  // open brackets.
  char continuation = '*';
  int open_brackets = 0;
  std::string error;  // kError: the error without its place
  Place place;        // kError: where
};

ReadResult ReadRuby(std::string_view text);

}  // namespace vaquita::shell

// tools/shell/ruby_reader.h: reads the part of Ruby that people use at the HBase shell and in its scripts.
//
//   create 't', {NAME => 'f', VERSIONS => 5}, SPLITS => ['a', "b\x00"]   # commands with or without parentheses
//   t = get_table 't'; t.put 'r', 'f:q', 'v'                             # variables, and commands on a table
//   (0..9).each { |i| put 't', "row#{i}", 'f:q', i * 2 }                 # blocks, #{}, operators, methods
//   5; 'text'; [1, nil, true]; VERSIONS                                  # values, which the shell echoes
//
// Strings are Ruby's: 'single' knows \\ and \' only, "double" knows \n, \x41, \101, \u00e9, #{code} and the like;
// neighbours are joined. What ends inside brackets, a string, a block, or after a comma or an operator goes on in the
// next line. Other Ruby (classes, regular expressions, lambdas, ...) is refused with its place. Threads: any.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/shell/value.h"

namespace vaquita::shell {

// A place in the text, counted from 1. Columns count bytes.
struct Place {
  int line = 1;
  int column = 1;
  friend bool operator==(const Place&, const Place&) = default;
};

struct Block;

struct Expression {
  // Each has behind it what `items` holds.
  enum class Kind {
    kLiteral,        // `literal`
    kText,           // the pieces of a string with #{}
    kConstant,       // `name`
    kArray,          // the elements
    kHash,           // key, value, key, value, ...
    kRange,          // first, last; `name` is ".." or "..."
    kCall,           // the receiver if `has_receiver`, then the arguments; `name`, and `block` if it has one
    kAssign,         // the value; `name` is the variable
    kElementAssign,  // receiver, index, value
    kElementChange,  // receiver, index, value; `name` is the operator, such as + of a[i] += 1
    kNot,            // the operand
    kAnd,            // two operands
    kOr,             // likewise
    kIf,             // condition, then, else
    kWhile,          // condition, body; `name` is "begin" if the body runs once before the condition
    kUntil,          // likewise
    kFor,            // the collection, body; `name` is the variable
    kCase,           // the subject, then for each branch its values (kArray) and its body; last, the body of else
    kSequence,       // the statements
    kBegin,          // body, rescue's body (kSequence); `name` is the variable of the error, or empty
    kDef,            // nothing; `name`, and `block` has parameters and body
    kYield,          // the arguments
    kReturn,         // the value
    kBreak,          // the value
    kNext            // the value
  };
  Kind kind = Kind::kLiteral;
  Value literal;
  std::string name;
  std::vector<Expression> items;
  bool has_receiver = false;
  bool parentheses = false;  // a call with them is no variable
  std::shared_ptr<const Block> block;
  Place place;
};

struct Parameter {
  std::string name;
  bool rest = false;                // takes all further arguments as an array
  std::vector<Expression> initial;  // one, if the argument may be missing; else none
};

// The parameters and the body of a block or a method.
struct Block {
  std::vector<Parameter> parameters;
  Expression body;
};

struct ReadResult {
  enum class State {
    kComplete,
    kIncomplete,  // more lines are needed
    kError,
  };
  State state = State::kComplete;
  std::vector<Expression> statements;
  char continuation = '*';  // kIncomplete: the open element: '\'' or '"' for a string, '*' otherwise
  std::string brackets;     // those that are open at the end, as LexRuby takes them for the next line
  char open_string = 0;     // the quote, or the bracket of %w[, that would end an open string; 0: none is open
  std::string error;        // kError: the error without its place
  Place place;              // kError: where
};

ReadResult ReadRuby(std::string_view text);

}  // namespace vaquita::shell

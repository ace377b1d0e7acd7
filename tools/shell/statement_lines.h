// tools/shell/statement_lines.h: collects the lines of one statement until it is whole.
//
// A short text is read anew with each line, so that an error shows at once. A long one is read again when it has
// doubled, and with each line that may end it: else the time would grow with its square. Threads: one.
#pragma once

#include <cstddef>
#include <string>

#include "tools/shell/ruby_lexer.h"
#include "tools/shell/ruby_reader.h"

namespace vaquita::shell {

class StatementLines {
 public:
  bool empty() const { return text_.empty(); }
  const std::string& text() const { return text_; }
  // Returns what the lines are. It may still be incomplete after an error, but not after the statement's end.
  const ReadResult& read() const { return read_; }
  // Returns how often the text was read.
  int times_read() const { return times_read_; }

  void Add(const std::string& line);
  void ReadNow();
  void Clear() { *this = StatementLines(); }

 private:
  bool MayEnd(const std::string& line);
  bool CountWords(const LexResult& lexed, bool begins);

  std::string text_;
  ReadResult read_;
  int times_read_ = 0;
  size_t read_bytes_ = 0;      // that read_ is of
  size_t least_brackets_ = 0;  // that were open then
  int words_ = 0;              // that were opened since then and want an `end`, less those that had one
  bool begins_ = true;         // the next line begins a statement, as far as the last line tells
  bool is_enclosed_ = false;   // a line alone does not end the text
};

}  // namespace vaquita::shell

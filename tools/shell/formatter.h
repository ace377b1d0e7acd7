// tools/shell/formatter.h: prints tables of rows as the HBase shell does.
//
// On a terminal the columns share its width and long cells wrap; elsewhere cells are printed as long as they are.
// Source: hbase-shell's shell/formatter.rb (2.6).
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace vaquita::shell {

class Formatter {
 public:
  // `width` is the terminal's, in characters; 0: no terminal. `out` must outlive this.
  Formatter(std::ostream* out, size_t width) : out_(*out), width_(width) {}

  void SetWidth(size_t width) { width_ = width; }
  // Starts a table, and the count of its rows.
  void Header(const std::vector<std::string>& columns);
  // One or two cells share the width; three or more are printed as they are.
  void Row(const std::vector<std::string>& cells);
  // Prints "N row(s)"; by default N is the number of Row calls.
  void Footer() { Footer(row_count_); }
  void Footer(int64_t rows);

 private:
  void PrintCells(const std::vector<std::string>& cells, bool inset);

  std::ostream& out_;
  size_t width_;
  int64_t row_count_ = 0;
};

}  // namespace vaquita::shell

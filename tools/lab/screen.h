// tools/lab/screen.h: a terminal on which a picture is drawn again and again, and the wait between two pictures.
//
// Without a terminal, pictures follow one another. Threads: the main one; one screen at a time, because it handles
// SIGWINCH.
#pragma once

#include <chrono>
#include <string>

namespace vaquita {

class Screen {
 public:
  Screen();
  ~Screen();
  Screen(const Screen&) = delete;

  bool is_terminal() const { return terminal_; }
  int rows() const { return rows_; }        // 40 without a terminal
  int columns() const { return columns_; }  // 100 without a terminal

  // Draws lines over the earlier picture, without flicker. What does not fit the width is cut.
  void Draw(const std::string& lines);
  // Waits until `when`, or until the terminal has another size. Returns whether it has; rows() and columns() are new.
  bool WaitUntil(std::chrono::steady_clock::time_point when);

 private:
  void ReadSize();

  bool terminal_;
  bool drawn_ = false;
  int rows_ = 40;
  int columns_ = 100;
};

}  // namespace vaquita

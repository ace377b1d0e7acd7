// tests/process/terminal.h: runs a program at a pseudo-terminal, at which the test types and reads.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace vaquita {

// PROGRAM ARGUMENTS at a terminal of its own.
class Terminal {
 public:
  Terminal(const std::string& program, std::vector<std::string> arguments,
           const std::map<std::string, std::string>& environment) {
    pid_ = forkpty(&terminal_, nullptr, nullptr, nullptr);
    if (pid_ != 0) return;
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    arguments.insert(arguments.begin(), program);
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    execv(program.c_str(), pointers.data());
    _exit(127);
  }
  ~Terminal() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    close(terminal_);
  }
  Terminal(const Terminal&) = delete;

  void Type(const std::string& text) {
    EXPECT_EQ(write(terminal_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  // Gives the terminal another size, of which the program is told by SIGWINCH.
  void Resize(unsigned short rows, unsigned short columns) {
    const winsize size = {rows, columns, 0, 0};
    EXPECT_EQ(ioctl(terminal_, TIOCSWINSZ, &size), 0);
  }
  // Reads until the output since the last wait has `text`. Returns false after 20 s, or when the program has ended.
  bool Await(const std::string& text) {
    if (!AwaitAndKeep(text)) return false;
    output_.erase(0, output_.find(text) + text.size());
    return true;
  }
  // Likewise, but output() has what was read.
  bool AwaitAndKeep(const std::string& text) {
    for (pollfd readable = {terminal_, POLLIN, 0}; output_.find(text) == std::string::npos;) {
      char buffer[4096];
      if (poll(&readable, 1, 20'000) != 1) return false;
      const ssize_t size = read(terminal_, buffer, sizeof buffer);
      if (size <= 0) return false;
      output_.append(buffer, size);
    }
    return true;
  }
  const std::string& output() const { return output_; }

 private:
  int terminal_ = -1;
  pid_t pid_ = -1;
  std::string output_;
};

}  // namespace vaquita

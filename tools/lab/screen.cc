#include "tools/lab/screen.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "absl/strings/str_replace.h"

namespace vaquita {
namespace {

int resized[2] = {-1, -1};  // a pipe from the signal's handler to the wait

void OnResize(int) {
  const char byte = 0;
  [[maybe_unused]] const ssize_t written = write(resized[1], &byte, 1);  // a full pipe says it, too
}

}  // namespace

Screen::Screen() : terminal_(isatty(STDOUT_FILENO) == 1) {
  ReadSize();
  if (!terminal_ || pipe2(resized, O_CLOEXEC | O_NONBLOCK) != 0) return;
  struct sigaction action = {};
  action.sa_handler = OnResize;
  action.sa_flags = SA_RESTART;
  sigaction(SIGWINCH, &action, nullptr);
}

Screen::~Screen() {
  if (resized[0] < 0) return;
  signal(SIGWINCH, SIG_DFL);
  for (int& end : resized) {
    close(end);
    end = -1;
  }
}

void Screen::ReadSize() {
  winsize size{};
  if (!terminal_ || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return;
  rows_ = size.ws_row;
  columns_ = size.ws_col;
}

void Screen::Draw(const std::string& lines) {
  if (!terminal_) {
    std::printf("%s\n", lines.c_str());
  } else {
    // Each line wipes what was longer there, the last one all below; lines do not go on in the next one.
    std::printf("%s\033[?7l\033[H%s\033[J\033[?7h", drawn_ ? "" : "\033[2J",
                absl::StrReplaceAll(lines, {{"\n", "\033[K\n"}}).c_str());
  }
  drawn_ = true;
  std::fflush(stdout);
}

bool Screen::WaitUntil(std::chrono::steady_clock::time_point when) {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(when - std::chrono::steady_clock::now()).count();
    pollfd readable = {resized[0], POLLIN, 0};  // -1 is never readable
    if (poll(&readable, 1, static_cast<int>(std::clamp<int64_t>(left, 0, 1'000'000))) > 0) {
      char bytes[64];
      while (read(resized[0], bytes, sizeof bytes) > 0) {
      }
      ReadSize();
      drawn_ = false;
      return true;
    }
    if (left <= 0) return false;
  }
}

}  // namespace vaquita

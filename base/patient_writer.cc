#include "base/patient_writer.h"

#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string>

namespace vaquita {

void PatientWriter::Write(std::string_view line) {
  std::lock_guard lock(mutex_);
  if (lost_ > 0) {
    const std::string note = "vaquita: " + std::to_string(lost_) + " lines of the log were lost: nobody read them\n";
    if (!WriteAll(note)) {
      ++lost_;
      return;
    }
    lost_ = 0;
  }
  if (!WriteAll(line)) ++lost_;
}

bool PatientWriter::WriteAll(std::string_view text) {
  while (!text.empty()) {
    if (!WaitForRoom()) return false;
    // With room a pipe takes so many bytes at once.
    const ssize_t written = write(fd_, text.data(), std::min<size_t>(text.size(), PIPE_BUF));
    if (written > 0) text.remove_prefix(static_cast<size_t>(written));
    if (written < 0 && errno != EINTR) return false;
  }
  return true;
}

bool PatientWriter::WaitForRoom() {
  using std::chrono::steady_clock;
  const auto end = steady_clock::now() + (lost_ > 0 ? std::chrono::milliseconds(0) : patience_);
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - steady_clock::now()).count();
    pollfd wait = {.fd = fd_, .events = POLLOUT, .revents = 0};
    const int ready = poll(&wait, 1, static_cast<int>(std::max<int64_t>(left, 0)));
    if (ready >= 0 || errno != EINTR) return ready > 0;  // an error of the descriptor is the write's
  }
}

PatientWriter& StandardError() {
  static auto* const kWriter = new PatientWriter(STDERR_FILENO, std::chrono::seconds(1));
  return *kWriter;
}

}  // namespace vaquita

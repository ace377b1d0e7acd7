// base/patient_writer.h: writes texts to a file descriptor, and loses them rather than wait for ever.
//
// A server's log goes to standard error, which may be a pipe that nobody reads. When that is full, a write would wait,
// and behind it each thread that logs. Threads: any.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string_view>

namespace vaquita {

class PatientWriter {
 public:
  // Waits for room for `patience`, then no more until there is room again.
  PatientWriter(int fd, std::chrono::milliseconds patience) : fd_(fd), patience_(patience) {}
  PatientWriter(const PatientWriter&) = delete;

  // Writes a line, with its end. Without room it is lost; the next one that is written follows a line that says how
  // many were.
  void Write(std::string_view line);

 private:
  bool WaitForRoom();
  bool WriteAll(std::string_view text);  // false: a part of it was not written

  const int fd_;
  const std::chrono::milliseconds patience_;
  std::mutex mutex_;
  int64_t lost_ = 0;  // lines
};

// Returns the writer to standard error.
PatientWriter& StandardError();

}  // namespace vaquita

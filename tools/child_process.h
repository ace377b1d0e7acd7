// tools/child_process.h: runs a `vaquita` command as a child of this process, and starts it again when it ends.
//
// It shares this process's standard error. If this process is killed, the child gets SIGTERM. Threads: one, this
// process's only one.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/json_value.h"

namespace vaquita {

class ChildProcess {
 public:
  // `arguments` are the program's, without --ready-file; `ready_file` is that option's value.
  ChildProcess(std::string name, std::vector<std::string> arguments, std::string ready_file);
  ~ChildProcess();  // kills it if it runs
  ChildProcess(const ChildProcess&) = delete;

  const std::string& name() const { return name_; }
  pid_t pid() const { return pid_; }  // -1: it does not run
  bool running() const { return pid_ >= 0; }
  bool started() const { return started_at_ != std::chrono::steady_clock::time_point(); }  // at least once

  absl::Status Start();
  void Stop();  // sends SIGTERM
  void Kill();  // sends SIGKILL
  // Returns whether it has ended. Prints how it ended, unless it was stopped.
  bool CollectEnd();
  // Waits for the end of a stopped child, and kills it at `deadline`.
  void WaitForEnd(std::chrono::steady_clock::time_point deadline);
  // Returns whether the child has written its ready file since its last start. If so, ready() returns that from now on.
  bool CheckReady();
  const Json& ready() const { return ready_; }
  // Returns when to start it again: at once, or, if it did not live long, after a pause.
  std::chrono::steady_clock::time_point restart_at() const { return restart_at_; }

  // Sets further arguments for later starts.
  void SetMoreArguments(std::vector<std::string> more) { more_arguments_ = std::move(more); }

 private:
  const std::string name_;
  const std::vector<std::string> arguments_;
  const std::string ready_file_;
  std::vector<std::string> more_arguments_;
  pid_t pid_ = -1;
  bool stopped_ = false;
  bool is_ready_ = false;
  Json ready_;  // the last ready file; null if there was none
  std::chrono::steady_clock::time_point started_at_;
  std::chrono::steady_clock::time_point restart_at_;
};

}  // namespace vaquita

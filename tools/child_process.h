// tools/child_process.h: one `vaquita` command as a child of this process, which starts it again when it ends.
//
// Its standard error is this process's. If this process is killed the child is sent SIGTERM. Threads: one, this
// process's only one.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "nlohmann/json.hpp"

namespace vaquita {

class ChildProcess {
 public:
  // `arguments`: those of the program, without --ready-file, for which `ready_file` is used.
  ChildProcess(std::string name, std::vector<std::string> arguments, std::string ready_file);
  ~ChildProcess();  // kills it if it runs
  ChildProcess(const ChildProcess&) = delete;

  const std::string& name() const { return name_; }
  pid_t pid() const { return pid_; }  // -1: it does not run
  bool running() const { return pid_ >= 0; }
  bool started() const { return started_at_ != std::chrono::steady_clock::time_point(); }  // once

  absl::Status Start();
  void Stop();  // sends SIGTERM
  // Whether it runs no more; prints how one that was not stopped ended.
  bool CollectEnd();
  // Waits for the end of one that was stopped, and kills it at `deadline`.
  void WaitForEnd(std::chrono::steady_clock::time_point deadline);
  // Whether it has written its ready file, which is then in ready().
  bool CheckReady();
  const nlohmann::json& ready() const { return ready_; }
  // When it is to be started again: at once, or, if it did not live long, after a pause.
  std::chrono::steady_clock::time_point restart_at() const { return restart_at_; }

  // What it is started with from now on, beside `arguments`.
  void SetMoreArguments(std::vector<std::string> more) { more_arguments_ = std::move(more); }

 private:
  const std::string name_;
  const std::vector<std::string> arguments_;
  const std::string ready_file_;
  std::vector<std::string> more_arguments_;
  pid_t pid_ = -1;
  bool stopped_ = false;
  nlohmann::json ready_;  // null: not ready yet
  std::chrono::steady_clock::time_point started_at_;
  std::chrono::steady_clock::time_point restart_at_;
};

}  // namespace vaquita

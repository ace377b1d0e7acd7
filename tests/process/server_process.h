// tests/process/server_process.h: runs `vaquita` as a child process, and gives the test its output and its end.
//
// Nothing here sleeps: it waits for the ready file by inotify, and for the end by a pidfd.
#pragma once

#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include <map>
#include <string>
#include <vector>

#include "base/json.h"

namespace vaquita {

class ServerProcess {
 public:
  // Runs `vaquita ARGUMENTS`. `folder` takes its output and its ready file. If that fails, pid() is -1.
  ServerProcess(const std::string& folder, std::vector<std::string> arguments,
                const std::map<std::string, std::string>& environment = {},
                const std::string& program = VAQUITA_PROGRAM, int standard_input = STDIN_FILENO);
  ~ServerProcess();  // kills it
  ServerProcess(const ServerProcess&) = delete;

  // `vaquita standalone --data <folder>/data` on a free port, with a ready file.
  static std::vector<std::string> OnFolder(const std::string& folder) {
    return {"standalone", "--data", folder + "/data", "--free-ports", "--ready-file", folder + "/ready.json"};
  }

  // Waits until it serves. Returns false if it ends before, or after a minute.
  bool WaitUntilReady();
  const std::string& address() const { return address_; }
  const std::string& data() const { return data_; }
  // Reads the ready file again: a cluster rewrites it when one of its processes was started again.
  Json Ready() const;
  pid_t pid() const { return pid_; }

  void Signal(int signal);
  bool HasEnded() const;
  // Waits for its end. Returns the exit code, or minus the number of the signal that ended it; -1000 after a minute, or
  // if there is no process.
  int WaitForEnd();

  std::string Output() const { return Read("/stdout"); }
  std::string Errors() const { return Read("/stderr"); }

 private:
  std::string Read(const std::string& name) const;

  const std::string folder_;
  pid_t pid_ = -1;
  int pidfd_ = -1;
  int watch_ = -1;
  std::string address_;
  std::string data_;
};

}  // namespace vaquita

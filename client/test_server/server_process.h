// client/test_server/server_process.h: the process behind RunningServer.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vaquita::testing {

// Returns `program`; if it is empty, VAQUITA_BINARY or `vaquita` in PATH. Returns kNotFound, which says where it
// looked.
absl::StatusOr<std::string> FindProgram(const std::string& program);

// A child that ends at the end of its standard input, which this object holds; its standard error is a file
// without a name, which goes with both processes.
class ServerProcess {
 public:
  ServerProcess() = default;
  ~ServerProcess();  // ends it, by force after ten seconds
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  // Starts the program and returns its first line. The error has the command and the end of the log.
  absl::StatusOr<std::string> Start(const std::vector<std::string>& command);

  std::string LastLogLines() const;

 private:
  absl::Status Spawn(const std::vector<std::string>& command, int* output);
  absl::StatusOr<std::string> ReadLine(int output);
  bool WaitForEnd(int milliseconds);  // false: it still runs

  pid_t pid_ = -1;
  int pidfd_ = -1;
  int input_ = -1;  // the write end of its standard input
  int log_ = -1;
  int status_ = 0;  // waitpid's
};

}  // namespace vaquita::testing

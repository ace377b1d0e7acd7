// tools/server_command.h: what the commands that run a server have in common: settings, the ready file, how they stop.
//
// Exit code 0 after a clean stop, 1, and one line on standard error, for anything else. Threads: one.
#pragma once

#include <signal.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/options.h"
#include "nlohmann/json_fwd.hpp"

namespace vaquita {

struct ServerArguments {
  std::string data_path;
  std::string ready_file;  // JSON, written in one step once the server serves, removed when it stops
  std::string config_file;
  std::vector<std::string> assignments;  // name=value, over everything else; flags for single options become these
  std::string log_level = "warn";
};

// The settings that the file, the environment and the arguments make; warnings go to standard error.
absl::StatusOr<Options> ReadOptions(const ServerArguments& arguments);

// SIGTERM and SIGINT, held back from its construction on, before the first thread starts, so that they wait to be
// waited for.
class StopSignals {
 public:
  StopSignals(std::initializer_list<int> more = {});

  // Waits for one of the signals, which it returns; 0: none came in time. After a signal that stops the server a second
  // one ends the process at once, should the stop take long.
  int Wait();
  int WaitFor(std::chrono::milliseconds time);

 private:
  int Took(int received);
  sigset_t signals_;
};

// The file that says that the server serves, and where; one that a killed server left goes first.
class ReadyFile {
 public:
  explicit ReadyFile(std::string path);  // empty: none is wanted
  ~ReadyFile() { Remove(); }
  ReadyFile(const ReadyFile&) = delete;

  // The process and the version come first. Written beside its place and renamed, so that whoever waits for it never
  // reads half of it.
  absl::Status Write(const nlohmann::ordered_json& fields) const;
  void Remove() const;  // the server stops

 private:
  const std::string path_;
};

// An address, or that there is none.
std::string OrNone(const std::string& address);

// Runs `serve` with a log at `log_level`; the exit code.
int RunServer(const std::string& log_level, const std::function<absl::Status()>& serve);

}  // namespace vaquita

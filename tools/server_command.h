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
  std::string ready_file;   // JSON, written in one step once the server serves, removed when it stops
  bool ready_line = false;  // the same JSON, in one line on standard output, in place of the text for people
  bool exit_with_stdin = false;
  std::string test_control;  // who may control the server: "loopback" or "any"; empty: nobody
  std::string exit_idle;     // a duration (base/duration_text.h)
  std::string config_file;
  std::vector<std::string> assignments;  // name=value, over everything else; flags for single options become these
  std::string log_level = "warn";
};

// The settings that the file, the environment and the arguments make; warnings go to standard error.
absl::StatusOr<Options> ReadOptions(const ServerArguments& arguments);

// What a server ends by, beside signals.
struct EndConditions {
  bool with_stdin = false;            // at the end of standard input
  std::chrono::milliseconds idle{0};  // when no client was connected for so long; 0: never
};
absl::StatusOr<EndConditions> EndConditionsOf(const ServerArguments& arguments);

// Why the server is to stop: SIGTERM and SIGINT, held back from the construction on, before the first thread starts, so
// that they wait to be waited for; and the end conditions, which count as SIGTERM.
class StopSignals {
 public:
  explicit StopSignals(const EndConditions& conditions, std::initializer_list<int> more = {});
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;

  // Waits for one of the signals, which it returns; 0: none came in time. After a signal that stops the server a second
  // one ends the process at once, should the stop take long.
  int WaitFor(std::chrono::milliseconds time);

 private:
  int Took(int received);
  bool StdinHasEnded();
  bool WasIdleForLong();

  const EndConditions conditions_;
  sigset_t signals_;
  int signal_fd_ = -1;
  std::chrono::steady_clock::time_point look_at_;  // for clients, next
  std::chrono::steady_clock::time_point used_at_;  // when a client was last seen
};

// Says that the server serves, and where: to the ready file (one that a killed server left goes first) and, if it is
// asked for, in one line on standard output.
class ReadyFile {
 public:
  explicit ReadyFile(const ServerArguments& arguments);
  ~ReadyFile() { Remove(); }
  ReadyFile(const ReadyFile&) = delete;

  // The process and the version come first. Written beside its place and renamed, so that whoever waits for it never
  // reads half of it.
  absl::Status Write(const nlohmann::ordered_json& fields) const;
  void Remove() const;  // the server stops

 private:
  const std::string path_;
  const bool line_;
};

// An address, or that there is none.
std::string OrNone(const std::string& address);

// Runs `serve` with a log at `log_level`; the exit code.
int RunServer(const std::string& log_level, const std::function<absl::Status()>& serve);

}  // namespace vaquita

// tools/server_command.h: the common part of commands that run a server: settings, the ready file, signals.
//
// The exit code is 0 after a clean stop, else one of base/exit_code.h, with one line on standard error. Threads: one.
#pragma once

#include <signal.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/chore.h"
#include "base/json.h"
#include "base/options.h"
#include "server/control/process_orders.h"
#include "server/test_control/test_control.h"

namespace vaquita {

struct ServerArguments {
  std::string data_path;
  std::string ready_file;   // JSON, written atomically once the server serves, removed when it stops
  bool ready_line = false;  // prints the same JSON as one line on standard output, instead of the text for people
  bool exit_with_stdin = false;
  std::string test_control;  // clients that may control the server: "loopback" or "any"; empty: none
  std::string exit_idle;     // a duration (base/duration_text.h)
  std::string config_file;
  std::vector<std::string> assignments;  // name=value, over everything else; flags for single options become these
  std::string log_level = "warn";
};

// Reads the settings from the file, the environment and the arguments. Warnings go to standard error.
absl::StatusOr<Options> ReadOptions(const ServerArguments& arguments);

// The conditions, besides signals, that stop a server.
struct EndConditions {
  bool with_stdin = false;            // standard input ended
  std::chrono::milliseconds idle{0};  // no client was connected for so long; 0: this never stops it
};
absl::StatusOr<EndConditions> EndConditionsOf(const ServerArguments& arguments);

// Waits for a reason to stop: SIGTERM, SIGINT, or an end condition, which counts as SIGTERM. The constructor blocks the
// signals, so that they wait for WaitFor; construct it before the first thread starts.
class StopSignals {
 public:
  explicit StopSignals(const EndConditions& conditions, std::initializer_list<int> more = {});
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;

  // Waits for one of the signals and returns it, or 0 if none came in time, or `also` became readable. After the first
  // signal that stops the server a second one ends the process at once, in case the stop takes long.
  int WaitFor(std::chrono::milliseconds time, int also = -1);
  // Ends the wait as SIGTERM does. Nothing happens if the server stops already. Threads: any.
  void Order();
  // Lets the next signal end the process at once. Call it when the server stops for a reason of its own.
  void LetSignalsEndTheProcess();

 private:
  int AcceptSignal(int received);
  bool StdinHasEnded();
  bool WasIdleForLong();

  const EndConditions conditions_;
  sigset_t signals_;
  int signal_fd_ = -1;
  int order_fd_ = -1;
  std::chrono::steady_clock::time_point check_at_;  // when to check for clients next
  std::chrono::steady_clock::time_point used_at_;   // when a client was last connected
};

// Returns the orders that clients may give to this process: to stop, and to read its settings again into `options`, of
// ReadOptions. The arguments outlive the orders.
ProcessOrders OrdersOfClients(const ServerArguments& arguments, Options* options, StopSignals* signals);

// Announces that the server serves, with its addresses: in the ready file and, if asked for, as one line on standard
// output. The constructor removes the file of a killed server.
class ReadyFile {
 public:
  explicit ReadyFile(const ServerArguments& arguments);
  ~ReadyFile() { Remove(); }
  ReadyFile(const ReadyFile&) = delete;

  // Returns InvalidArgument if the file cannot be made, or something else has its name, which stays. So the command
  // ends before it starts a server.
  absl::Status Check() const;
  // Writes the process and the version, followed by `fields`, to a temporary file and renames it, so that a reader
  // never sees half of it.
  absl::Status Write(const Json& fields) const;
  void Remove() const;  // called when the server stops

 private:
  std::string TemporaryPath() const;
  bool IsOther() const;

  const std::string path_;
  const bool line_;
};

// Returns the test control for --test-control's value, and says on standard error that it is on. Returns null if nobody
// may use it.
std::unique_ptr<TestControl> MakeTestControl(const std::string& who, bool in_cluster);

// Returns the control's seeder for the server whose gRPC is at `address`.
Seeder SeederOf(const TestControl* control, const std::string& address);

// Returns the test control's URL at an info port, e.g. for the ready file.
std::string TestControlUrl(const std::string& info_address);

// Returns the address, or "none" if it is empty.
std::string OrNone(const std::string& address);

// Gives the memory that the start has left back to the system, and later, every ten seconds, what large requests leave.
std::unique_ptr<Chore> ReturnMemoryFromNowOn();

// Runs `serve` with a log at `log_level`, and returns the exit code.
int RunServer(const std::string& log_level, const std::function<absl::Status()>& serve);

}  // namespace vaquita

#include "tools/server_command.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/durable_files.h"
#include "base/duration_text.h"
#include "base/exit_code.h"
#include "base/host_name.h"
#include "base/json_value.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/patient_writer.h"
#include "base/status.h"
#include "base/version.h"
#include "server/frontend/net/descriptors.h"
#include "server/process/configuration.h"
#include "server/test_control/control_pages.h"
#include "tools/connection/tool_tls.h"
#include "tools/seed/seed.h"
#include "tools/server_log.h"

namespace vaquita {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kClientCheckInterval{1000};

absl::Status ApplySources(const ServerArguments& arguments, Options* options, std::vector<std::string>* warnings) {
  if (!arguments.config_file.empty()) {
    VAQUITA_RETURN_IF_ERROR(ApplyConfigFile(arguments.config_file, options, warnings));
  }
  VAQUITA_RETURN_IF_ERROR(ApplyEnvironment(environ, options, warnings));
  return ApplyAssignments(arguments.assignments, options, warnings);
}

// Says who may do what on a server that other machines reach.
std::string AccessText(const Options& options) {
  if (options.authorization && options.names_suffice()) {
    return "with vaquita.users.simple a client may say any user's name, and then do what that user may";
  }
  if (options.authorization) return "it has no TLS, so tokens and data can be read on their way";
  if (!options.tls) return "it has neither TLS nor users, and whoever reaches it may read and change everything";
  const bool by_certificate = absl::EqualsIgnoreCase(options.tls_client_auth, "NEED") && !options.tls_beside_plaintext;
  return absl::StrCat("it has no users, and whoever ",
                      by_certificate ? "has a certificate that it trusts" : "reaches it",
                      " may read and change everything");
}

// Refuses a server that others reach unless that is what its user asked for.
absl::Status CheckExposure(const Options& options) {
  const std::string exposed = ExposedAddresses(options);
  if (exposed.empty()) return absl::OkStatus();
  const std::string why = exposed + ", so other machines reach this server; " + AccessText(options);
  if (!options.insecure) return absl::InvalidArgumentError(why + ". Where that is right, add --insecure");
  std::fprintf(stderr, "vaquita: warning: %s\n", why.c_str());
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Options> ReadOptions(const ServerArguments& arguments) {
  Options asked;
  std::vector<std::string> warnings;
  VAQUITA_RETURN_IF_ERROR(ApplySources(arguments, &asked, &warnings));
  for (const std::string& warning : warnings) std::fprintf(stderr, "vaquita: warning: %s\n", warning.c_str());
  // The memory's size changes defaults, which the sources come after.
  Options options;
  FitMemory(asked.memory_bytes > 0 ? asked.memory_bytes : AllowedMemoryBytes(), &options);
  VAQUITA_RETURN_IF_ERROR(ApplySources(arguments, &options, &warnings));
  VAQUITA_RETURN_IF_ERROR(CheckExposure(options));
  return options;
}

ProcessOrders OrdersOfClients(const ServerArguments& arguments, Options* options, StopSignals* signals) {
  return {.stop = [signals] { signals->Order(); },
          .update_configuration = [&arguments, options]() -> absl::Status {
            VAQUITA_ASSIGN_OR_RETURN(const Options read, ReadOptions(arguments));
            const std::vector<std::string> others = TakeOverLive(read, options);
            if (others.empty()) return absl::OkStatus();
            return absl::FailedPreconditionError(
                absl::StrCat("a restart is needed for ", absl::StrJoin(others, ", "),
                             "; settings that may change while a server runs are taken over"));
          }};
}

absl::StatusOr<EndConditions> EndConditionsOf(const ServerArguments& arguments) {
  EndConditions conditions{.with_stdin = arguments.exit_with_stdin};
  if (arguments.exit_idle.empty()) return conditions;
  auto idle_ms = ParseDurationMs(arguments.exit_idle);
  if (!idle_ms.ok()) return Annotate(idle_ms.status(), "--exit-idle");
  if (*idle_ms == 0) return absl::InvalidArgumentError("--exit-idle: must be more than 0");
  conditions.idle = std::chrono::milliseconds(*idle_ms);
  return conditions;
}

StopSignals::StopSignals(const EndConditions& conditions, std::initializer_list<int> more)
    : conditions_(conditions), used_at_(steady_clock::now()) {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGTERM);
  sigaddset(&signals_, SIGINT);
  for (const int signal : more) sigaddset(&signals_, signal);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  signal(SIGPIPE, SIG_IGN);
  // Ctrl-C in a terminal is for the process that holds the other end, which may want to go on, or still need the
  // server.
  if (conditions_.with_stdin && isatty(STDIN_FILENO) == 0) setpgid(0, 0);
  signal_fd_ = signalfd(-1, &signals_, SFD_CLOEXEC | SFD_NONBLOCK);
  order_fd_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

StopSignals::~StopSignals() {
  close(signal_fd_);
  close(order_fd_);
}

void StopSignals::Order() { eventfd_write(order_fd_, 1); }

void StopSignals::LetSignalsEndTheProcess() { pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr); }

int StopSignals::WaitFor(std::chrono::milliseconds time, int also) {
  pollfd waits[] = {{.fd = signal_fd_, .events = POLLIN, .revents = 0},
                    {.fd = conditions_.with_stdin ? STDIN_FILENO : -1, .events = POLLIN, .revents = 0},
                    {.fd = order_fd_, .events = POLLIN, .revents = 0},
                    {.fd = also, .events = POLLIN, .revents = 0}};
  poll(waits, std::size(waits), static_cast<int>(time.count()));
  signalfd_siginfo received{};
  if (read(signal_fd_, &received, sizeof received) == sizeof received)
    return AcceptSignal(static_cast<int>(received.ssi_signo));
  if (waits[1].revents != 0 && StdinHasEnded()) return AcceptSignal(SIGTERM);
  if (waits[2].revents != 0) return AcceptSignal(SIGTERM);
  return conditions_.idle.count() > 0 && WasIdleForLong() ? AcceptSignal(SIGTERM) : 0;
}

int StopSignals::AcceptSignal(int received) {
  if (received == SIGTERM || received == SIGINT) LetSignalsEndTheProcess();
  return received;
}

// Reads and ignores the bytes that came.
bool StopSignals::StdinHasEnded() {
  char bytes[4096];
  const ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);
  return got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN);
}

bool StopSignals::WasIdleForLong() {
  const auto now = steady_clock::now();
  if (now < check_at_) return false;
  check_at_ = now + std::min(kClientCheckInterval, conditions_.idle / 4);
  if (net::HasConnections()) used_at_ = now;
  return now - used_at_ >= conditions_.idle;
}

ReadyFile::ReadyFile(const ServerArguments& arguments) : path_(arguments.ready_file), line_(arguments.ready_line) {
  Remove();
}

// Returns whether there is something else of that name, such as a folder, a device or a link.
bool ReadyFile::IsOther() const {
  std::error_code error;
  const std::filesystem::file_type type = std::filesystem::symlink_status(path_, error).type();
  return type != std::filesystem::file_type::regular && type != std::filesystem::file_type::not_found;
}

std::string ReadyFile::TemporaryPath() const { return path_ + "." + std::to_string(getpid()); }

void ReadyFile::Remove() const {
  std::error_code ignored;  // the file may be missing
  if (!path_.empty() && !IsOther()) std::filesystem::remove(path_, ignored);
}

absl::Status ReadyFile::Check() const {
  if (path_.empty()) return absl::OkStatus();
  if (IsOther()) {
    return absl::InvalidArgumentError("--ready-file: " + path_ +
                                      " is there, and no regular file, or it cannot be read");
  }
  const std::string temporary = TemporaryPath();
  std::ofstream file(temporary);
  const bool writable = file.is_open();
  const std::string why = std::strerror(errno);
  std::error_code ignored;
  std::filesystem::remove(temporary, ignored);
  return writable ? absl::OkStatus() : absl::InvalidArgumentError("--ready-file: create " + temporary + ": " + why);
}

absl::Status ReadyFile::Write(const Json& fields) const {
  Json ready = {{"pid", getpid()}, {"version", std::string(kVersion)}};
  ready.update(fields);
  if (line_) {
    std::puts(JsonText(ready).c_str());
    std::fflush(stdout);
  }
  if (path_.empty()) return absl::OkStatus();
  const std::string temporary = TemporaryPath();
  const auto fails = [&](const std::string& doing, const std::string& why) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    return absl::UnavailableError(doing + ": " + why);
  };
  {
    std::ofstream file(temporary);
    file << IndentedJsonText(ready) << "\n";
    if (!file.flush()) return fails("write " + temporary, std::strerror(errno));
  }
  chmod(temporary.c_str(), 0644);  // programs of other users may have to find the server
  std::error_code error;
  std::filesystem::rename(temporary, path_, error);
  if (error) return fails("rename " + temporary + " to " + path_, error.message());
  return absl::OkStatus();
}

std::unique_ptr<TestControl> MakeTestControl(const std::string& who, bool in_cluster) {
  if (who.empty()) return nullptr;
  std::fprintf(stderr,
               "vaquita: --test-control: %s may drop all data, move the clock and inject faults; for tests only\n",
               who == "any" ? "everybody who reaches its ports" : "programs on this machine");
  return std::make_unique<TestControl>(/*from_anywhere=*/who == "any", in_cluster, ToolTls());
}

Seeder SeederOf(const TestControl* control, const std::string& address) {
  const SeededServer server = {
      .address = address, .user = kSeedUser, .given_up = [control] { return control->stopped(); }};
  return [server](const v1::SeedRequest& request) { return Seed(server, request); };
}

std::string TestControlUrl(const std::string& info_address) { return "http://" + info_address + ControlPages::kPath; }

std::string OrNone(const std::string& address) { return address.empty() ? "none" : address; }

std::unique_ptr<Chore> ReturnMemoryFromNowOn() {
  constexpr int64_t kKeptBytes = 16 * kMiB;
  ReturnFreedMemory(0);
  return std::make_unique<Chore>(std::chrono::seconds(10), [] { ReturnFreedMemory(kKeptBytes); });
}

int RunServer(const std::string& log_level, const std::function<absl::Status()>& serve) {
  LogToStandardError();
  spdlog::set_level(spdlog::level::from_str(log_level));
  KeepFilesToUser();
  net::RaiseDescriptorLimit();
  BoundFreedMemory();
  EndWhenMemoryRunsOut();
  const absl::Status status = serve();
  if (!status.ok()) StandardError().Write(absl::StrCat("vaquita: ", status.message(), "\n"));
  return ExitCodeOf(status);
}

}  // namespace vaquita

#include "client/test_server/server_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace vaquita::testing {
namespace {

using std::chrono::steady_clock;

constexpr int kStartMs = 60'000;
constexpr int kStopMs = 10'000;
constexpr size_t kLastLines = 50;

bool IsProgram(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

absl::Status SystemError(const std::string& what) {
  return absl::InternalError(absl::StrCat(what, ": ", std::strerror(errno)));
}

// VAQUITA_BINARY is for this library; the server would take it for a setting.
std::vector<char*> Environment() {
  std::vector<char*> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!std::string_view(*variable).starts_with("VAQUITA_BINARY=")) variables.push_back(*variable);
  }
  variables.push_back(nullptr);
  return variables;
}

}  // namespace

absl::StatusOr<std::string> FindProgram(const std::string& program) {
  if (!program.empty()) {
    if (IsProgram(program)) return program;
    return absl::NotFoundError(absl::StrCat("the program ", program, " is not an executable file"));
  }
  if (const char* named = std::getenv("VAQUITA_BINARY"); named != nullptr && *named != '\0') {
    if (IsProgram(named)) return named;
    return absl::NotFoundError(absl::StrCat("VAQUITA_BINARY is ", named, ", which is not an executable file"));
  }
  const char* path = std::getenv("PATH");
  for (const std::string& folder :
       std::vector<std::string>(absl::StrSplit(path == nullptr ? "" : path, ':', absl::SkipEmpty()))) {
    if (std::string candidate = absl::StrCat(folder, "/vaquita"); IsProgram(candidate)) return candidate;
  }
  return absl::NotFoundError(
      absl::StrCat("No program of Vaquita. Looked for: ServerOptions::program and the environment variable "
                   "VAQUITA_BINARY, which are not set; "
                   "vaquita in PATH, ",
                   path == nullptr ? "which is not set" : path));
}

ServerProcess::~ServerProcess() {
  if (input_ >= 0) close(input_);
  if (pidfd_ >= 0) {
    if (!WaitForEnd(kStopMs)) {
      kill(pid_, SIGKILL);
      WaitForEnd(-1);
    }
    close(pidfd_);
  }
  if (log_ >= 0) close(log_);
}

absl::StatusOr<std::string> ServerProcess::Start(const std::vector<std::string>& command) {
  int output = -1;
  const absl::Status spawned = Spawn(command, &output);
  absl::StatusOr<std::string> line = spawned.ok() ? ReadLine(output) : absl::StatusOr<std::string>(spawned);
  if (output >= 0) close(output);
  if (line.ok()) return line;
  return absl::UnavailableError(absl::StrCat("Vaquita did not start: ", line.status().message(),
                                             ".\nCommand: ", absl::StrJoin(command, " "), "\n", LastLogLines()));
}

absl::Status ServerProcess::Spawn(const std::vector<std::string>& command, int* output) {
  std::string log = (std::filesystem::temp_directory_path() / "vaquita-XXXXXX.log").string();
  log_ = mkostemps(log.data(), 4, O_CLOEXEC);
  if (log_ < 0) return SystemError(log);
  unlink(log.c_str());
  int in[2];
  int out[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) return SystemError("pipe");

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, log_, STDERR_FILENO);
  std::vector<std::string> arguments = command;
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const int failed = posix_spawn(&pid_, argv[0], &actions, nullptr, argv.data(), Environment().data());
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  input_ = in[1];
  *output = out[0];
  errno = failed;
  if (failed != 0) return SystemError(argv[0]);
  pidfd_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  return pidfd_ >= 0 ? absl::OkStatus() : SystemError("pidfd_open");
}

absl::StatusOr<std::string> ServerProcess::ReadLine(int output) {
  const auto deadline = steady_clock::now() + std::chrono::milliseconds(kStartMs);
  std::string line;
  while (!line.ends_with('\n')) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - steady_clock::now()).count();
    pollfd wait = {output, POLLIN, 0};
    if (left <= 0 || poll(&wait, 1, static_cast<int>(left)) == 0) {
      return absl::DeadlineExceededError(absl::StrCat("it was not ready after ", kStartMs / 1000, " s"));
    }
    char part[4096];
    const ssize_t size = read(output, part, sizeof part);
    if (size > 0) {
      line.append(part, static_cast<size_t>(size));
    } else if (size == 0) {
      WaitForEnd(kStopMs);
      return absl::UnavailableError(WIFEXITED(status_) ? absl::StrCat("it ended with exit code ", WEXITSTATUS(status_))
                                                       : absl::StrCat("it was ended by signal ", WTERMSIG(status_)));
    } else if (errno != EINTR) {
      return SystemError("its standard output");
    }
  }
  return line;
}

bool ServerProcess::WaitForEnd(int milliseconds) {
  if (pid_ < 0) return true;
  pollfd wait = {pidfd_, POLLIN, 0};
  while (true) {
    const int events = poll(&wait, 1, milliseconds);
    if (events == 0) return false;
    if (events > 0) break;
  }
  waitpid(pid_, &status_, 0);
  pid_ = -1;
  return true;
}

std::string ServerProcess::LastLogLines() const {
  std::string text;
  char part[4096];
  for (ssize_t size = 0; (size = pread(log_, part, sizeof part, static_cast<off_t>(text.size()))) > 0;) {
    text.append(part, static_cast<size_t>(size));
  }
  std::vector<std::string> lines = absl::StrSplit(absl::StripSuffix(text, "\n"), '\n');
  if (lines.size() > kLastLines) lines.erase(lines.begin(), lines.end() - kLastLines);
  return absl::StrCat("Last lines of Vaquita's log:\n", absl::StrJoin(lines, "\n"));
}

}  // namespace vaquita::testing

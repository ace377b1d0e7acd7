#include "bench/server_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "base/durable_files.h"
#include "base/json_value.h"
#include "base/status.h"

extern char** environ;

namespace vaquita::bench {

absl::StatusOr<std::unique_ptr<ServerProcess>> ServerProcess::Start(const std::string& binary,
                                                                    const std::string& folder) {
  auto server = std::make_unique<ServerProcess>();
  const std::string ready = folder + ".ready";
  std::filesystem::remove(ready);
  std::string args[] = {binary, "standalone", "--data", folder, "--free-ports", "--ready-file", ready};
  std::vector<char*> argv;
  for (std::string& arg : args) argv.push_back(arg.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  const int error = posix_spawn(&server->pid_, binary.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return absl::NotFoundError(absl::StrCat("cannot start ", binary));
  // The ready file appears by a rename, so it is whole when it is there. Half a millisecond is the resolution of the
  // start's figure.
  while (!std::filesystem::exists(ready)) {
    if (waitpid(server->pid_, nullptr, WNOHANG) != 0)
      return absl::InternalError("the server ended before it was ready");
    usleep(500);
  }
  VAQUITA_ASSIGN_OR_RETURN(const std::string text, ReadFile(ready));
  VAQUITA_ASSIGN_OR_RETURN(const Json addresses, ParseJson(text));
  server->address_ = addresses.at("grpc_address").get<std::string>();
  return server;
}

ServerProcess::~ServerProcess() {
  if (pid_ <= 0) return;
  kill(pid_, SIGTERM);
  waitpid(pid_, nullptr, 0);
}

absl::StatusOr<double> ServerProcess::ResidentMb() const {
  std::ifstream in(absl::StrCat("/proc/", pid_, "/status"));
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("VmRSS:")) return atof(line.c_str() + 6) / 1024;
  }
  return absl::NotFoundError("no VmRSS in the process's status");
}

absl::StatusOr<double> ServerProcess::CpuSeconds() const {
  std::ifstream in(absl::StrCat("/proc/", pid_, "/stat"));
  std::string text;
  std::getline(in, text);
  // Behind the name in parentheses: the state, ten fields that do not matter, and the times in user and kernel mode.
  std::istringstream fields(text.substr(text.rfind(')') + 1));
  std::string skipped;
  for (int field = 0; field < 11; ++field) fields >> skipped;
  int64_t user = 0;
  int64_t kernel = 0;
  if (!(fields >> user >> kernel)) return absl::NotFoundError("no times in the process's stat");
  return static_cast<double>(user + kernel) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace vaquita::bench

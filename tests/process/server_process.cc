#include "tests/process/server_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <spawn.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "base/testing/json_of.h"

namespace vaquita {
namespace {

constexpr std::chrono::minutes kPatience{1};

// Milliseconds until `deadline`, for poll.
int Left(std::chrono::steady_clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  return static_cast<int>(std::max<int64_t>(0, left.count()));
}

}  // namespace

ServerProcess::ServerProcess(const std::string& folder, std::vector<std::string> arguments,
                             const std::map<std::string, std::string>& environment, const std::string& program,
                             int standard_input)
    : folder_(folder) {
  std::filesystem::remove(folder_ + "/ready.json");
  watch_ = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  inotify_add_watch(watch_, folder_.c_str(), IN_MOVED_TO);

  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    if (text.starts_with("VAQUITA_") || text.starts_with("TMPDIR=") ||
        environment.contains(std::string(text.substr(0, text.find('=')))))
      continue;
    variables.push_back(*variable);
  }
  for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
  variables.push_back("TMPDIR=" + folder_);  // a killed server's temporary data folder is removed with it
  arguments.insert(arguments.begin(), program);
  std::vector<char*> argv, envp;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  for (std::string& variable : variables) envp.push_back(variable.data());
  argv.push_back(nullptr);
  envp.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const int flags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_adddup2(&actions, standard_input, STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, 1, (folder_ + "/stdout").c_str(), flags, 0644);
  posix_spawn_file_actions_addopen(&actions, 2, (folder_ + "/stderr").c_str(), flags, 0644);
  const int error = posix_spawn(&pid_, program.c_str(), &actions, nullptr, argv.data(), envp.data());
  posix_spawn_file_actions_destroy(&actions);
  EXPECT_EQ(error, 0) << "cannot run " << program << ": " << strerror(error);
  if (error != 0) {
    pid_ = -1;
    return;
  }
  pidfd_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  EXPECT_GE(pidfd_, 0);
}

ServerProcess::~ServerProcess() {
  if (pid_ > 0) {
    Signal(SIGKILL);
    WaitForEnd();
  }
  close(watch_);
  close(pidfd_);
}

Json ServerProcess::Ready() const { return JsonOf(Read("/ready.json")); }

void ServerProcess::Signal(int signal) {
  if (pid_ > 0) kill(pid_, signal);  // -1 would be every process
}

bool ServerProcess::HasEnded() const {
  pollfd ended = {pidfd_, POLLIN, 0};
  return poll(&ended, 1, 0) != 0;
}

bool ServerProcess::WaitUntilReady() {
  if (pid_ <= 0) return false;
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!std::filesystem::exists(folder_ + "/ready.json")) {
    pollfd waits[] = {{watch_, POLLIN, 0}, {pidfd_, POLLIN, 0}};
    if (poll(waits, 2, Left(deadline)) == 0 || waits[1].revents != 0) return false;
    char events[4096];
    while (read(watch_, events, sizeof events) > 0) {
    }
  }
  const Json ready = Ready();
  address_ = ready.at("grpc_address");
  data_ = ready.at("data");
  EXPECT_EQ(ready.at("pid"), pid_);
  return true;
}

int ServerProcess::WaitForEnd() {
  if (pid_ <= 0) return -1000;
  pollfd wait = {pidfd_, POLLIN, 0};
  if (poll(&wait, 1, Left(std::chrono::steady_clock::now() + kPatience)) == 0) return -1000;
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

std::string ServerProcess::Read(const std::string& name) const {
  std::ifstream file(folder_ + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace vaquita

#include "tests/cluster_checker/outside_clients.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"

namespace vaquita::checker {

OutsideClients::OutsideClients(Run* run, const std::vector<std::string>& commands, const std::string& zookeeper,
                               std::chrono::seconds time)
    : run_(run) {
  for (const std::string& command : commands) {
    std::string line =
        absl::StrCat("exec ", command, " --address ", zookeeper, " --seconds ", time.count(), " --seed ", run->seed());
    std::string shell = "/bin/sh", flag = "-c";
    char* arguments[] = {shell.data(), flag.data(), line.data(), nullptr};
    pid_t pid = -1;
    if (posix_spawn(&pid, shell.c_str(), nullptr, nullptr, arguments, environ) != 0) {
      run->Fail(absl::StrCat("cannot run ", line));
      continue;
    }
    clients_.push_back({command, pid});
  }
}

OutsideClients::~OutsideClients() {
  for (const Client& client : clients_) {
    kill(client.pid, SIGKILL);
    waitpid(client.pid, nullptr, 0);
  }
}

void OutsideClients::AwaitEnd() {
  for (const Client& client : clients_) {
    int status = 0;
    const bool ended = waitpid(client.pid, &status, 0) == client.pid;
    if (!ended || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
      run_->Fail(absl::StrCat("this client failed: ", client.command));
  }
  clients_.clear();
}

}  // namespace vaquita::checker

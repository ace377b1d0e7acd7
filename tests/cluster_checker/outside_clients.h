// tests/cluster_checker/outside_clients.h: clients in other languages that work beside the checker's own and check
// their answers themselves.
//
// Each runs as COMMAND --address ZOOKEEPER --seconds N --seed N in a shell, shares this program's output, and must end
// with exit code 0. Threads: one.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "tests/cluster_checker/run.h"

namespace vaquita::checker {

class OutsideClients {
 public:
  OutsideClients(Run* run, const std::vector<std::string>& commands, const std::string& zookeeper,
                 std::chrono::seconds time);
  ~OutsideClients();  // kills those that still run
  OutsideClients(const OutsideClients&) = delete;

  void AwaitEnd();  // waits for all

 private:
  struct Client {
    std::string command;
    pid_t pid;
  };
  Run* const run_;
  std::vector<Client> clients_;
};

}  // namespace vaquita::checker

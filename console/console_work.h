// console/console_work.h: work that console pages ask for by POST, and that code above the servers does.
//
// The shell, the laboratory and changes of tables run over the client library, which the console does not know. So the
// process is given a function that makes them, and passes it on.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace vaquita {

struct ConsoleWork {
  std::string name;  // its path below /console/v1/
  // It changes the cluster. Such work is refused unless the console may write; other work may change nothing.
  bool writes = false;
  // Takes a POST's JSON and returns the answer's. It may wait for about a minute. Errors: InvalidArgument says what is
  // wrong, in words for the page. Threads: any, at once.
  std::function<absl::StatusOr<std::string>(std::string_view body)> run;
};
using ConsoleWorks = std::vector<ConsoleWork>;

struct ConsoleHost {
  std::function<std::string()> grpc_address;  // this process's; empty while it does not serve. Any thread
  bool may_write = false;
  std::string token;  // by which the works call the cluster in the process's name; empty: users have no rights
};
// Makes the console's works. They live until the console is destroyed.
using MakeConsoleWorks = std::function<ConsoleWorks(const ConsoleHost&)>;

// Returns the body of the answer to a GET of `path` from `address` (host:port). Waits for at most two seconds. Errors:
// Unavailable names the address; NotFound is the server's 404. Threads: any.
using ConsoleGet = std::function<absl::StatusOr<std::string>(const std::string& address, const std::string& path)>;

}  // namespace vaquita

// tools/lab/lab_command.h: `vaquita lab`: the row key laboratory's verbs, one file each (tools/lab/<verb>_command.cc).
//
// A verb adds its subcommand with its options and the function to run. It prints its results to stdout, and progress
// and skipped records to stderr. Its error is printed as one line, and the exit code is 1.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"

namespace CLI {
class App;
}

namespace vaquita {

class LabCommand {
 public:
  // Adds `lab` and its verbs to `app`.
  explicit LabCommand(CLI::App* app);

  // Adds a subcommand of `lab`, and calls `run` if the user chooses it. `run` holds the verb's options (as a
  // shared_ptr). Called by a verb's Add...Command().
  CLI::App* AddVerb(const std::string& name, const std::string& description, std::function<absl::Status()> run);

  bool IsChosen() const;
  int Run() const;  // the process's exit code

 private:
  CLI::App* lab_;
  std::vector<std::pair<CLI::App*, std::function<absl::Status()>>> verbs_;
};

}  // namespace vaquita

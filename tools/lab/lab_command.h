// tools/lab/lab_command.h: `vaquita lab`: the row key laboratory's verbs, one file each (tools/lab/<verb>_command.cc).
//
// A verb adds its subcommand with its options and says what to run; it prints its results to stdout, and progress and
// what it skipped to stderr. Its error is printed as one clear line, and the exit code is 1.
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

  // For a verb's Add...Command(): a new subcommand of `lab`, for which `run` is called if the user chose it. The verb's
  // options live in what `run` holds (a shared_ptr).
  CLI::App* AddVerb(const std::string& name, const std::string& description, std::function<absl::Status()> run);

  bool IsChosen() const;
  int Run() const;  // the process's exit code

 private:
  CLI::App* lab_;
  std::vector<std::pair<CLI::App*, std::function<absl::Status()>>> verbs_;
};

}  // namespace vaquita

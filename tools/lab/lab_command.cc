#include "tools/lab/lab_command.h"

#include "CLI/CLI.hpp"
#include "base/exit_code.h"
#include "tools/lab/verbs.h"

namespace vaquita {

LabCommand::LabCommand(CLI::App* app)
    : lab_(app->add_subcommand("lab", "The row key laboratory: try a row key before a cluster runs on it")) {
  lab_->require_subcommand(1);
  AddAdviseCommand(this);
  AddCompareCommand(this);
  AddEmulateCommand(this);
  AddExamplesCommand(this);
  AddKeyCommand(this);
  AddSimulateCommand(this);
  AddSplitsCommand(this);
  AddWatchCommand(this);
}

CLI::App* LabCommand::AddVerb(const std::string& name, const std::string& description,
                              std::function<absl::Status()> run) {
  CLI::App* verb = lab_->add_subcommand(name, description);
  verbs_.emplace_back(verb, std::move(run));
  return verb;
}

bool LabCommand::IsChosen() const { return lab_->parsed(); }

int LabCommand::Run() const {
  for (const auto& [verb, run] : verbs_) {
    if (verb->parsed()) return EndCommand("vaquita lab " + verb->get_name(), run());
  }
  return kUsageError;
}

}  // namespace vaquita

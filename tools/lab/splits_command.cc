#include <memory>
#include <optional>

#include "CLI/CLI.hpp"
#include "base/status.h"
#include "lab/splits/split_key_text.h"
#include "tools/lab/design_input.h"
#include "tools/lab/lab_command.h"
#include "tools/lab/output_file.h"
#include "tools/lab/split_input.h"
#include "tools/lab/verbs.h"
#include "tools/progress/long_work.h"

namespace vaquita {
namespace {

struct SplitsOptions {
  std::string design;
  DesignInput records;
  SplitInput splits;
  std::string format = "splits-file";
  std::string output;
  std::string name = "t";
  std::string family = "f";
};

absl::Status PrintSplits(const SplitsOptions& options) {
  VAQUITA_ASSIGN_OR_RETURN(const lab::SplitKeyFormat format, lab::ParseSplitKeyFormat(options.format));
  std::optional<RecordInput> records;
  std::optional<lab::KeyDesign> design;
  if (!options.design.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(records, RecordInput::Open(options.records));
    VAQUITA_ASSIGN_OR_RETURN(design, records->ParseDesign(options.design));
  }
  const LongWork work("calculating split keys");
  VAQUITA_ASSIGN_OR_RETURN(const lab::SplitKeys splits,
                           MakeSplits(options.splits, records ? &*records : nullptr, design ? &*design : nullptr));
  return WriteOutput(options.output, lab::SplitKeyText(splits, format, options.name, options.family));
}

}  // namespace

void AddSplitsCommand(LabCommand* lab) {
  auto options = std::make_shared<SplitsOptions>();
  CLI::App* command = lab->AddVerb("splits", "Calculate split keys for a table that begins with several regions",
                                   [options] { return PrintSplits(*options); });
  AddDesignOption(command, &options->design);
  AddRecordOptions(command, &options->records);
  AddSplitOptions(command, &options->splits);
  command->add_option("--format", options->format, "splits-file, shell, java or c++")->capture_default_str();
  command->add_option("--name", options->name, "The table that the shell's command creates")->capture_default_str();
  command->add_option("--family", options->family, "Its column family")->capture_default_str();
  command->add_option("--output", options->output, "A file to write to; without it, stdout")->check(WhyNotWritable);
}

}  // namespace vaquita

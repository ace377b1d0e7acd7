#include "tools/lab/key_command.h"

#include <cstdio>
#include <memory>

#include "CLI/CLI.hpp"
#include "engine/status.h"
#include "lab/key_design.h"
#include "lab/record_generator.h"
#include "region/region_info.h"
#include "tools/lab/lab_command.h"

namespace vaquita {
namespace {

struct KeyOptions {
  std::string design;
  std::string generate;
  uint64_t rows = 10;
};

absl::Status PrintKeys(const KeyOptions& options) {
  VAQUITA_ASSIGN_OR_RETURN(const lab::RecordGenerator generator, lab::RecordGenerator::Parse(options.generate));
  VAQUITA_ASSIGN_OR_RETURN(const lab::KeyDesign design, lab::KeyDesign::Parse(options.design, generator.schema()));
  lab::RecordBuffer buffer;
  std::string key;
  for (uint64_t i = 0; i < options.rows; ++i) {
    key.clear();
    VAQUITA_RETURN_IF_ERROR(design.AppendKey(generator.Generate(i, &buffer), i, &key));
    std::printf("%s\n", ToStringBinary(key).c_str());
  }
  return absl::OkStatus();
}

}  // namespace

void AddKeyCommand(LabCommand* lab) {
  auto options = std::make_shared<KeyOptions>();
  CLI::App* command =
      lab->AddVerb("key", "Print the keys that a design makes", [options] { return PrintKeys(*options); });
  command->add_option("design", options->design, "An expression; see docs/lab.md")->required();
  command->add_option("--generate", options->generate, "Generated fields: 'id=sequence(), ts=time(2026-01-01, 1ms)'");
  command->add_option("--rows", options->rows, "How many records")->capture_default_str();
}

}  // namespace vaquita

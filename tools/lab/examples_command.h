// tools/lab/examples_command.h: `vaquita lab examples`: the ready examples, listed or run.
#pragma once

namespace vaquita {

class LabCommand;

void AddExamplesCommand(LabCommand* lab);

}  // namespace vaquita

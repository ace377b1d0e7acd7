// tools/lab/emulate_command.h: `vaquita lab emulate`: what HBase's servers would do with a design's load.
#pragma once

namespace vaquita {

class LabCommand;

void AddEmulateCommand(LabCommand* lab);

}  // namespace vaquita

// tools/lab/key_command.h: `vaquita lab key`: the keys that a design makes, explained.
#pragma once

namespace vaquita {

class LabCommand;

void AddKeyCommand(LabCommand* lab);

}  // namespace vaquita

// tools/lab/splits_command.h: `vaquita lab splits`: split keys for a table, as a file, a shell command or source code.
#pragma once

namespace vaquita {

class LabCommand;

void AddSplitsCommand(LabCommand* lab);

}  // namespace vaquita

// tools/lab/compare_command.h: `vaquita lab compare A B C`: row key designs side by side, simulated and measured.
#pragma once

namespace vaquita {

class LabCommand;

void AddCompareCommand(LabCommand* lab);

}  // namespace vaquita

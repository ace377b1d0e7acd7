// tools/lab/simulate_command.h: `vaquita lab simulate`: where the requests of a row key design go.
#pragma once

namespace vaquita {

class LabCommand;

void AddSimulateCommand(LabCommand* lab);

}  // namespace vaquita

// tools/lab/advise_command.h: `vaquita lab advise`: what is wrong with a row key, and what could be tried instead.
#pragma once

namespace vaquita {

class LabCommand;

void AddAdviseCommand(LabCommand* lab);

}  // namespace vaquita

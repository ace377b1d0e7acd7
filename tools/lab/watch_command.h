// tools/lab/watch_command.h: `vaquita lab watch`: where the requests of a running cluster go, as a heat map that moves.
#pragma once

namespace vaquita {

class LabCommand;

void AddWatchCommand(LabCommand* lab);

}  // namespace vaquita

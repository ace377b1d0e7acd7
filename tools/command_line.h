// tools/command_line.h: the commands of `vaquita` and their options. Threads: one.
#pragma once

namespace vaquita {

// Reads the command line and runs its command. Returns the exit code. The arguments are main's.
int RunCommandLine(int argc, char** argv);

}  // namespace vaquita

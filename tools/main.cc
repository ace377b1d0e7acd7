// tools/main.cc: the program `vaquita`.
#include "tools/command_line.h"

int main(int argc, char** argv) { return vaquita::RunCommandLine(argc, argv); }

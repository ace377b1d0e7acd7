#include "tools/shell/shell.h"

namespace vaquita::shell {

int RunShell(const ShellOptions&) { return 0; }

}  // namespace vaquita::shell

#include "tools/control/control_command.h"

#include <cstdio>

#include "base/exit_code.h"
#include "tools/control/ask_control.h"

namespace vaquita {

int RunControl(const ControlArguments& arguments) {
  const auto answer = AskControl(arguments.address, arguments.words);
  if (answer.ok()) std::puts(answer->c_str());
  return EndCommand("vaquita control", answer.status());
}

}  // namespace vaquita

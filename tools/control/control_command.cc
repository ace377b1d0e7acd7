#include "tools/control/control_command.h"

#include <cstdio>

#include "base/exit_code.h"
#include "tools/control/ask_control.h"

namespace vaquita {

int RunControl(const ControlArguments& arguments) {
  const auto answer = AskControl(arguments.address, arguments.words);
  if (answer.ok()) {
    std::puts(answer->c_str());
    return 0;
  }
  std::fprintf(stderr, "vaquita control: %s\n", std::string(answer.status().message()).c_str());
  return ExitCodeOf(answer.status());
}

}  // namespace vaquita

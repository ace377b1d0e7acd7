#include "base/fault_point.h"

#include <signal.h>
#include <unistd.h>

#include <cstdlib>

namespace vaquita {

void FaultPoint(std::string_view name) {
  static const char* const wanted = std::getenv("VAQUITA_FAULT");
  if (wanted != nullptr && name == wanted) kill(getpid(), SIGKILL);
}

}  // namespace vaquita

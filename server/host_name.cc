#include "server/host_name.h"

#include <unistd.h>

#include "engine/options.h"

namespace vaquita {

std::string HostOf(const Options& options) {
  if (!options.host_name.empty()) return options.host_name;
  if (options.bind_address != "0.0.0.0" && options.bind_address != "::") return options.bind_address;
  char name[256] = "localhost";
  gethostname(name, sizeof name - 1);
  return name;
}

}  // namespace vaquita

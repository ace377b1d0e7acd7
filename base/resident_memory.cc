#include "base/resident_memory.h"

#include <unistd.h>

#include <fstream>

namespace vaquita {

int64_t ResidentMemoryBytes() {
  std::ifstream statm("/proc/self/statm");
  int64_t total_pages = 0, resident_pages = 0;
  if (!(statm >> total_pages >> resident_pages)) return 0;
  return resident_pages * sysconf(_SC_PAGESIZE);
}

}  // namespace vaquita

#include "base/memory.h"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <new>
#include <string_view>

// Part of tcmalloc. Programs that are not linked with it have a null pointer here.
extern "C" __attribute__((weak)) int MallocExtension_SetNumericProperty(const char* property, size_t value);
extern "C" __attribute__((weak)) int MallocExtension_GetNumericProperty(const char* property, size_t* value);
extern "C" __attribute__((weak)) void MallocExtension_ReleaseToSystem(size_t bytes);
// Part of glibc's malloc, which a static program with tcmalloc must not link beside it.
extern "C" __attribute__((weak)) int malloc_trim(size_t pad) noexcept;

namespace vaquita {
namespace {

constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

// Returns the machine's memory.
int64_t MachineMemoryBytes(const std::string& root) {
  std::ifstream file(root + "proc/meminfo");
  std::string name;
  int64_t kib = 0;
  file >> name >> kib;
  return name == "MemTotal:" && kib > 0 ? kib * 1024 : kNoLimit;
}

// Returns the number in a control group's file; "max", which stands for none, and a missing file give kNoLimit.
int64_t LimitIn(const std::string& path) {
  std::ifstream file(path);
  int64_t bytes = 0;
  return file >> bytes && bytes > 0 ? bytes : kNoLimit;
}

// Returns the least limit of the group and those that hold it. Inside a container the group's own path may lie outside
// of what is mounted, but the mounted folder is the container's.
int64_t LeastLimit(const std::string& mounted, std::string group, const char* file) {
  int64_t least = LimitIn(mounted + "/" + file);
  while (group.size() > 1) {
    least = std::min(least, LimitIn(mounted + group + "/" + file));
    group.erase(group.find_last_of('/'));
  }
  return least;
}

[[noreturn]] void EndWithAWord() {
  constexpr std::string_view kMessage =
      "vaquita: out of memory; give the process more, or lower vaquita.global.memstore.bytes, "
      "vaquita.block.cache.bytes and hbase.ipc.server.max.callqueue.size\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kMessage.data(), kMessage.size());
  _exit(1);
}

}  // namespace

int64_t ResidentMemoryBytes() {
  std::ifstream statm("/proc/self/statm");
  int64_t total_pages = 0, resident_pages = 0;
  if (!(statm >> total_pages >> resident_pages)) return 0;
  return resident_pages * sysconf(_SC_PAGESIZE);
}

// Each line of /proc/self/cgroup is NUMBER:CONTROLLERS:PATH; that of the second version has no controllers.
int64_t AllowedMemoryBytes(const std::string& root) {
  int64_t least = MachineMemoryBytes(root);
  std::ifstream groups(root + "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const size_t first = line.find(':');
    const size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string group = line.substr(second + 1);
    if (controllers == ",,") {
      least = std::min(least, LeastLimit(root + "sys/fs/cgroup", group, "memory.max"));
    } else if (controllers.find(",memory,") != std::string::npos) {
      least = std::min(least, LeastLimit(root + "sys/fs/cgroup/memory", group, "memory.limit_in_bytes"));
    }
  }
  return least == kNoLimit ? 0 : least;
}

void BoundFreedMemory() {
  constexpr int64_t kSmallBytes = int64_t{2} << 30;
  const int64_t allowed = AllowedMemoryBytes();
  const bool small = allowed > 0 && allowed < kSmallBytes;
  if (MallocExtension_SetNumericProperty != nullptr) {
    MallocExtension_SetNumericProperty("tcmalloc.max_total_thread_cache_bytes", (small ? 4 : 16) << 20);
  } else {
    mallopt(M_ARENA_MAX, 2);
  }
}

void ReturnFreedMemory(int64_t kept_bytes) {
  constexpr int64_t kStepBytes = int64_t{2} << 20;
  if (MallocExtension_ReleaseToSystem == nullptr) {
    if (malloc_trim != nullptr) malloc_trim(static_cast<size_t>(kept_bytes));
    return;
  }
  size_t freed = 0;
  MallocExtension_GetNumericProperty("tcmalloc.pageheap_free_bytes", &freed);
  for (int64_t left = static_cast<int64_t>(freed) - kept_bytes; left > 0; left -= kStepBytes) {
    MallocExtension_ReleaseToSystem(static_cast<size_t>(std::min(left, kStepBytes)));
  }
}

void EndWhenMemoryRunsOut() { std::set_new_handler(EndWithAWord); }

}  // namespace vaquita

#include "base/file_mark.h"

#include <sys/stat.h>

namespace vaquita {

FileMark MarkOf(const std::string& path) {
  struct stat found = {};
  if (path.empty() || stat(path.c_str(), &found) != 0) return {};
  return {.inode = found.st_ino,
          .size = found.st_size,
          .changed_ns = int64_t{found.st_mtim.tv_sec} * 1'000'000'000 + found.st_mtim.tv_nsec};
}

}  // namespace vaquita

#include "base/file_mark.h"

#include <sys/stat.h>

#include <ctime>

namespace vaquita {
namespace {

int64_t NsOf(const timespec& time) { return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

}  // namespace

FileMark MarkOf(const std::string& path) {
  struct stat found = {};
  if (path.empty() || stat(path.c_str(), &found) != 0) return {};
  return {.inode = found.st_ino,
          .size = found.st_size,
          .changed_ns = NsOf(found.st_mtim),
          .status_changed_ns = NsOf(found.st_ctim)};
}

}  // namespace vaquita

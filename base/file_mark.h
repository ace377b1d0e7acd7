// base/file_mark.h: notices that a file has changed.
#pragma once

#include <cstdint>
#include <string>

namespace vaquita {

// Another mark of the same path means another file, other bytes in it, or others who may read it.
struct FileMark {
  uint64_t inode = 0;  // 0: the file is not there
  int64_t size = 0;
  int64_t changed_ns = 0;
  int64_t status_changed_ns = 0;  // a change of the owner or the mode counts, too
  bool operator==(const FileMark&) const = default;
};

FileMark MarkOf(const std::string& path);

}  // namespace vaquita

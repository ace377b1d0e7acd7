// base/testing/temporary_folder.h: a folder that is removed at its test's end. For tests only.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>
#include <system_error>

namespace vaquita::testing {

class TemporaryFolder {
 public:
  TemporaryFolder() = default;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  // The first call makes the folder, so a process that is killed before leaves none behind.
  const std::string& path() const {
    if (path_.empty()) {
      std::string name = (std::filesystem::temp_directory_path() / "vaquita_test_XXXXXX").string();
      path_ = ::mkdtemp(name.data());
    }
    return path_;
  }

 private:
  mutable std::string path_;
};

}  // namespace vaquita::testing

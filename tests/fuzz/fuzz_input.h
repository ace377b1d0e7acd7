// tests/fuzz/fuzz_input.h: takes an input apart, and lends a folder to parsers that read files.
#pragma once

#include <google/protobuf/stubs/logging.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/log.h"
#include "base/testing/temporary_folder.h"

namespace vaquita::fuzz {

// Ends the process, naming what does not hold. An assert would be gone in a release.
inline void Check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

class Input {
 public:
  Input(const uint8_t* data, size_t size) : rest_(reinterpret_cast<const char*>(data), size) {}

  // Returns the next byte; 0 at the end.
  uint8_t Byte() {
    if (rest_.empty()) return 0;
    const auto byte = static_cast<uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return byte;
  }
  // Returns what comes before the next `end`, or the rest, and goes on behind it.
  std::string_view Until(char end) {
    const std::string_view part = rest_.substr(0, rest_.find(end));
    rest_.remove_prefix(std::min(rest_.size(), part.size() + 1));
    return part;
  }
  // Returns a part whose length stands before it in two bytes, big-endian; it may end early.
  std::string_view Sized() {
    const size_t high = Byte();
    const std::string_view part = rest_.substr(0, high << 8 | Byte());
    rest_.remove_prefix(part.size());
    return part;
  }
  std::string_view Rest() const { return rest_; }

 private:
  std::string_view rest_;
};

// Messages of parsers about each input would fill the disk.
inline void SilenceLogs() {
  static const bool silent = [] {
    google::protobuf::SetLogHandler(nullptr);
    spdlog::set_level(spdlog::level::off);
    return true;
  }();
  static_cast<void>(silent);
}

// A folder that is removed at the process's end.
inline const std::string& Folder() {
  static const testing::TemporaryFolder folder;
  return folder.path();
}

// Writes a file of that folder, and returns its path.
inline std::string FileOf(const std::string& name, std::string_view bytes) {
  std::string path = Folder() + "/" + name;
  std::remove(path.c_str());  // a file system may write a file that is cut to 0 at once to the disk
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  Check(file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size(), "the file is written");
  std::fclose(file);
  return path;
}

}  // namespace vaquita::fuzz

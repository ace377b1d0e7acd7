// tools/bench/output_file.h: writes a result to a file.
#pragma once

#include <fstream>
#include <string>

#include "absl/status/status.h"

namespace vaquita::bench {

inline absl::Status WriteFile(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  return file ? absl::OkStatus() : absl::InvalidArgumentError(path + " cannot be written");
}

}  // namespace vaquita::bench

// tools/bench/output_file.h: writes a result to a file.
//
// Errors: InvalidArgument, naming the file.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "base/durable_files.h"

namespace vaquita::bench {

// Tests that WriteFile can write the file. What it holds stays, for the new result is not there yet.
inline absl::Status CheckWritable(const std::string& path) {
  const std::ofstream file(path, std::ios::binary | std::ios::app);
  return file ? absl::OkStatus() : absl::InvalidArgumentError(path + " cannot be written");
}

// Replaces a regular file whole: whoever is killed meanwhile leaves the old one. A pipe, or a device, is written to.
inline absl::Status WriteFile(const std::string& path, const std::string& text) {
  std::error_code ignored;  // the file may be missing
  const bool replaces = std::filesystem::is_regular_file(std::filesystem::symlink_status(path, ignored));
  const absl::Status written = replaces ? ReplaceFile(path, text) : vaquita::WriteFile(path, text);
  return written.ok() ? absl::OkStatus() : absl::InvalidArgumentError(path + " cannot be written");
}

}  // namespace vaquita::bench

// tools/lab/output_file.h: writes a verb's result to a file, or to stdout.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace vaquita {

// `path` empty or "-": stdout.
inline absl::Status WriteOutput(const std::string& path, std::string_view text) {
  const bool to_stdout = path.empty() || path == "-";
  std::FILE* file = to_stdout ? stdout : std::fopen(path.c_str(), "w");
  if (file == nullptr) return absl::UnavailableError(path + " cannot be written");
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
  const bool closed = to_stdout || std::fclose(file) == 0;
  if (!written || !closed) return absl::UnavailableError((to_stdout ? "stdout" : path) + " cannot be written");
  return absl::OkStatus();
}

}  // namespace vaquita

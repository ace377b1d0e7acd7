#include "tools/lab/output_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "CLI/CLI.hpp"
#include "base/status.h"

namespace vaquita {
namespace {

std::string FormatOf(const std::string& path) {
  const size_t dot = path.rfind('.');
  const std::string end = dot == std::string::npos ? "" : path.substr(dot + 1);
  return end == "txt" ? "text" : end == "htm" ? "html" : end;
}

}  // namespace

absl::Status WriteOutput(const std::string& path, std::string_view text) {
  const bool to_stdout = path.empty() || path == "-";
  std::FILE* file = to_stdout ? stdout : std::fopen(path.c_str(), "w");
  if (file == nullptr) return absl::UnavailableError(path + " cannot be written: " + std::strerror(errno));
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
  const bool closed = to_stdout || std::fclose(file) == 0;
  if (!written || !closed) {
    return absl::UnavailableError((to_stdout ? "stdout" : path) + " cannot be written: " + std::strerror(errno));
  }
  return absl::OkStatus();
}

absl::Status WriteOutputs(const std::vector<std::string>& paths,
                          const std::function<absl::StatusOr<std::string>(const std::string& format)>& formatted) {
  for (const std::string& path : paths) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string text, formatted(FormatOf(path)));
    VAQUITA_RETURN_IF_ERROR(WriteOutput(path, text));
  }
  return absl::OkStatus();
}

std::string WhyNotWritable(const std::string& path) {
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  struct stat there {};
  int error = 0;
  if (path == "-") return "";
  if (stat(path.c_str(), &there) != 0) {  // it will be made
    if (errno != ENOENT || access(folder.c_str(), W_OK | X_OK) != 0) error = errno;
  } else if (S_ISDIR(there.st_mode)) {
    error = EISDIR;
  } else if (access(path.c_str(), W_OK) != 0) {
    error = errno;
  }
  return error == 0 ? "" : path + " cannot be written: " + std::strerror(error);
}

void AddOutputs(CLI::App* command, const std::string& meaning, std::vector<std::string> formats,
                std::vector<std::string>* outputs) {
  command->add_option("--output", *outputs, meaning)
      ->allow_extra_args(false)
      ->check([formats = std::move(formats)](const std::string& path) {
        if (std::ranges::find(formats, FormatOf(path)) != formats.end()) return WhyNotWritable(path);
        std::string endings;
        for (const std::string& format : formats) endings += " ." + (format == "text" ? "txt" : format);
        return path + ": the name of the file says its format, by one of" + endings;
      });
}

void AddFormatOptions(CLI::App* command, std::string* format, std::vector<std::string>* outputs) {
  command->add_option("--format", *format, "Format of stdout: text, json or html")
      ->check(CLI::IsMember({"text", "json", "html"}))
      ->capture_default_str();
  AddOutputs(command, "Also write a file whose name ends in .txt, .json or .html (a page)", {"text", "json", "html"},
             outputs);
}

}  // namespace vaquita

#include "tools/lab/output_file.h"

#include <cstdio>

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
  if (file == nullptr) return absl::UnavailableError(path + " cannot be written");
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
  const bool closed = to_stdout || std::fclose(file) == 0;
  if (!written || !closed) return absl::UnavailableError((to_stdout ? "stdout" : path) + " cannot be written");
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

void AddFormatOptions(CLI::App* command, std::string* format, std::vector<std::string>* outputs) {
  command->add_option("--format", *format, "Format of stdout: text, json or html")
      ->check(CLI::IsMember({"text", "json", "html"}))
      ->capture_default_str();
  command->add_option("--output", *outputs, "Also write a file whose name ends in .txt, .json or .html (a page)")
      ->allow_extra_args(false)
      ->check([](const std::string& path) {
        const std::string format = FormatOf(path);
        return format == "text" || format == "json" || format == "html"
                   ? ""
                   : path + ": the name of the file ends in .txt, .json or .html, which says its format";
      });
}

}  // namespace vaquita

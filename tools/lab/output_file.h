// tools/lab/output_file.h: writes a verb's results to files, in the formats of their names, or to stdout.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace CLI {
class App;
}

namespace vaquita {

// `path` empty or "-": stdout.
absl::Status WriteOutput(const std::string& path, std::string_view text);

// Writes each of the files, whose text `formatted` returns for the format that its name chooses: text, html, or the
// letters behind its last dot.
absl::Status WriteOutputs(const std::vector<std::string>& paths,
                          const std::function<absl::StatusOr<std::string>(const std::string& format)>& formatted);

// Adds --output, for files in these formats. Each is checked before the verb begins: its name, and whether it can be
// written. What it holds stays until then.
void AddOutputs(CLI::App* command, const std::string& meaning, std::vector<std::string> formats,
                std::vector<std::string>* outputs);
// Returns why the file cannot be written; "" if it can.
std::string WhyNotWritable(const std::string& path);

// Adds --format and --output to a verb that has the formats text, json and html.
void AddFormatOptions(CLI::App* command, std::string* format, std::vector<std::string>* outputs);

}  // namespace vaquita

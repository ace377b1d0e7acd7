// tools/lab/quantity.h: sizes and times as people write them on a command line: 45TB, 128MiB, 30d, 1.5h.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace vaquita {

// Parses a size. B, KB, MB, GB, TB and PB are powers of 1,000, KiB to PiB of 1,024; a number alone is bytes.
absl::StatusOr<double> ParseBytes(std::string_view text);
// Parses a time in ms, s, m, h, d or w; a number alone is seconds. Returns milliseconds.
absl::StatusOr<double> ParseDuration(std::string_view text);

// Add options with such a quantity; a malformed one is an error of the command line. `value` outlives `command`.
CLI::Option* AddBytesOption(CLI::App* command, const std::string& name, double* bytes, const std::string& meaning);
CLI::Option* AddDurationOption(CLI::App* command, const std::string& name, double* ms, const std::string& meaning);

}  // namespace vaquita

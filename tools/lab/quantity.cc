#include "tools/lab/quantity.h"

#include <span>

#include "CLI/CLI.hpp"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/absl_text.h"

namespace vaquita {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr int64_t kMostQuantity = int64_t{1} << 62;

constexpr Unit kByteUnits[] = {{"", 1},
                               {"B", 1},
                               {"KB", 1e3},
                               {"MB", 1e6},
                               {"GB", 1e9},
                               {"TB", 1e12},
                               {"PB", 1e15},
                               {"KiB", 1024.0},
                               {"MiB", 1 << 20},
                               {"GiB", 1 << 30},
                               {"TiB", 1099511627776.0},
                               {"PiB", 1125899906842624.0}};
constexpr Unit kTimeUnits[] = {{"", 1000},    {"ms", 1},      {"s", 1000},    {"m", 60e3},
                               {"h", 3600e3}, {"d", 86400e3}, {"w", 604800e3}};

absl::StatusOr<double> Parse(std::string_view text, std::span<const Unit> units, const char* right) {
  size_t digits = 0;
  while (digits < text.size() && (absl::ascii_isdigit(text[digits]) || text[digits] == '.')) ++digits;
  const std::string_view unit_name = text.substr(std::min(text.find_first_not_of(' ', digits), text.size()));
  double number = 0;
  if (absl::SimpleAtod(AbslText(text.substr(0, digits)), &number)) {
    for (const Unit& unit : units) {
      if (unit.name != unit_name) continue;
      if (number * unit.factor <= static_cast<double>(kMostQuantity)) return number * unit.factor;
      return absl::InvalidArgumentError(
          absl::StrCat("'", AbslText(text), "' is too large; at most ", kMostQuantity, " bytes, or ms"));
    }
  }
  return absl::InvalidArgumentError(absl::StrCat("'", AbslText(text), "' is not ", right));
}

CLI::Option* AddOption(CLI::App* command, const std::string& name, const std::string& meaning, double* value,
                       absl::StatusOr<double> (*parse)(std::string_view)) {
  return command->add_option_function<std::string>(
      name,
      [=](const std::string& text) {
        const absl::StatusOr<double> parsed = parse(text);
        if (!parsed.ok()) throw CLI::ValidationError(name, std::string(parsed.status().message()));
        *value = *parsed;
      },
      meaning);
}

}  // namespace

absl::StatusOr<double> ParseBytes(std::string_view text) {
  return Parse(text, kByteUnits, "a size: a number with B, KB, MB, GB, TB, PB, or KiB to PiB");
}

absl::StatusOr<double> ParseDuration(std::string_view text) {
  return Parse(text, kTimeUnits, "a time: a number with ms, s, m, h, d or w");
}

CLI::Option* AddBytesOption(CLI::App* command, const std::string& name, double* bytes, const std::string& meaning) {
  return AddOption(command, name, meaning, bytes, ParseBytes);
}

CLI::Option* AddDurationOption(CLI::App* command, const std::string& name, double* ms, const std::string& meaning) {
  return AddOption(command, name, meaning, ms, ParseDuration);
}

}  // namespace vaquita

#include "tools/option_values.h"

#include <cmath>
#include <cstdint>
#include <string_view>

#include "CLI/CLI.hpp"
#include "absl/strings/numbers.h"
#include "base/absl_text.h"
#include "base/whole_number.h"

namespace vaquita {
namespace {

std::string RefuseEmpty(const std::string& value) { return value.empty() ? "the value is empty" : ""; }

template <typename Number>
std::string CheckWhole(const std::string& value) {
  const std::string_view digits = std::string_view(value).substr(value.starts_with('-') ? 1 : 0);
  const bool is_decimal = !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos &&
                          (digits.size() == 1 || digits[0] != '0');
  Number number = 0;
  if (is_decimal && ReadWholeNumber(value, &number)) return "";
  return value + (is_decimal ? " is out of range" : " is not a whole number in decimal digits");
}

std::string CheckReal(const std::string& value) {
  double number = 0;
  return absl::SimpleAtod(AbslText(value), &number) && std::isfinite(number) ? "" : value + " is not a number";
}

}  // namespace

void CheckValues(CLI::App* command) {
  // Before the checks that the option has: they say less of a value that is none.
  const auto add = [](CLI::Option* option, std::string (*check)(const std::string&)) {
    option->transform(CLI::Validator([check](std::string& value) { return check(value); }, ""));
  };
  for (CLI::Option* option : command->get_options()) {
    if (option->get_expected_max() == 0) continue;  // a flag
    const std::string type = option->get_type_name();
    if (type.starts_with("INT")) add(option, CheckWhole<int64_t>);
    if (type.starts_with("UINT")) add(option, CheckWhole<uint64_t>);
    if (type.starts_with("FLOAT")) add(option, CheckReal);
    if (!option->check_lname("password")) add(option, RefuseEmpty);
  }
  for (CLI::App* below : command->get_subcommands([](const CLI::App*) { return true; })) CheckValues(below);
}

std::vector<std::string> WithEmptyValues(int argc, const char* const* argv) {
  std::vector<std::string> words;
  for (int i = 0; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word.starts_with("--") && word.size() > 3 && word.find('=') == word.size() - 1) {
      words.emplace_back(word.substr(0, word.size() - 1));
      words.emplace_back();
    } else {
      words.emplace_back(word);
    }
  }
  return words;
}

}  // namespace vaquita

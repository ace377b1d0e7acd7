#include "model/coprocessors.h"

#include <algorithm>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/absl_text.h"

namespace vaquita {
namespace {

constexpr std::string_view kKeyPrefix = "coprocessor$";

bool IsCoprocessorKey(std::string_view key) {
  if (!absl::StartsWithIgnoreCase(AbslText(key), AbslText(kKeyPrefix)) || key.size() == kKeyPrefix.size()) return false;
  return std::all_of(key.begin() + kKeyPrefix.size(), key.end(), absl::ascii_isdigit);
}

// The class of "jar|class|priority|arguments", where the last part and the digits of the priority may be missing.
std::optional<std::string> ClassOf(std::string_view value) {
  const std::vector<std::string> parts = absl::StrSplit(AbslText(value), absl::MaxSplits('|', 3));
  if (parts.size() < 3 || parts[1].empty()) return std::nullopt;
  const absl::string_view priority = absl::StripAsciiWhitespace(parts[2]);
  if (!std::all_of(priority.begin(), priority.end(), absl::ascii_isdigit)) return std::nullopt;
  const std::string name(absl::StripAsciiWhitespace(parts[1]));
  if (name.empty()) return std::nullopt;
  return name;
}

}  // namespace

std::vector<std::string> CoprocessorClasses(const TableDescriptor& table) {
  std::vector<std::string> classes;
  for (const auto& [key, value] : table.attributes) {
    if (!IsCoprocessorKey(key)) continue;
    if (std::optional<std::string> name = ClassOf(value)) classes.push_back(*std::move(name));
  }
  return classes;
}

absl::Status AddCoprocessor(std::string_view specification, TableDescriptor* table) {
  const std::optional<std::string> name = ClassOf(specification);
  if (!name) {
    return absl::InvalidArgumentError(
        absl::StrCat("Format does not match jar|class|priority|arguments: ", AbslText(specification)));
  }
  int64_t last = 0;
  for (const auto& [key, value] : table->attributes) {
    if (!IsCoprocessorKey(key)) continue;
    if (ClassOf(value) == name) {
      return absl::InvalidArgumentError(absl::StrCat("Coprocessor ", *name, " already exists."));
    }
    int64_t number = 0;
    if (absl::SimpleAtoi(AbslText(std::string_view(key).substr(kKeyPrefix.size())), &number)) {
      last = std::max(last, number);
    }
  }
  table->attributes[absl::StrCat(AbslText(kKeyPrefix), last + 1)] = std::string(specification);
  return absl::OkStatus();
}

absl::Status RemoveCoprocessor(std::string_view class_name, TableDescriptor* table) {
  const auto removed = std::erase_if(table->attributes, [&](const auto& attribute) {
    return IsCoprocessorKey(attribute.first) && ClassOf(attribute.second) == class_name;
  });
  if (removed > 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("coprocessor with class name ", AbslText(class_name), " was not found in the table attribute"));
}

std::vector<std::string> CoprocessorClasses(std::string_view list) {
  std::vector<std::string> classes;
  for (const absl::string_view part : absl::StrSplit(AbslText(list), ',')) {
    // A server's list may add "|priority|jar" to a class.
    const absl::string_view name = absl::StripAsciiWhitespace(part.substr(0, part.find('|')));
    if (!name.empty()) classes.emplace_back(name);
  }
  return classes;
}

bool RunsCoprocessor(std::string_view class_name) {
  return class_name == kMultiRowMutationEndpoint || class_name == kAggregateImplementation ||
         class_name == kRowCountEndpoint || class_name == kBulkDeleteEndpoint;
}

absl::Status CheckCoprocessors(const TableDescriptor& table) {
  for (const std::string& name : CoprocessorClasses(table)) {
    if (!RunsCoprocessor(name)) return SanityError("Class " + name + " cannot be loaded");
  }
  return absl::OkStatus();
}

}  // namespace vaquita

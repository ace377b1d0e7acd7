#include "server/process/configuration.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "base/did_you_mean.h"
#include "base/site_file.h"
#include "base/status.h"

namespace vaquita {
namespace {

constexpr std::string_view kVariablePrefix = "VAQUITA_";
// Read elsewhere: base/fault_point.h, tools/connection, client/test_server; VAQUITA_OPTIONS by systemd (ops/systemd).
const std::set<std::string, std::less<>> kOtherVariables = {"VAQUITA_ADDRESS", "VAQUITA_BINARY", "VAQUITA_FAULT",
                                                            "VAQUITA_OPTIONS", "VAQUITA_TLS",    "VAQUITA_TOKEN"};

bool IsOption(std::string_view name) {
  return std::ranges::find(OptionRows(), name, &OptionRow::name) != OptionRows().end();
}

absl::Status Apply(std::string_view source, std::string_view name, std::string_view value, Options* options,
                   std::vector<std::string>* warnings) {
  const absl::Status status = SetOption(name, value, options);
  if (absl::IsNotFound(status)) {
    std::vector<std::string_view> names;
    for (const OptionRow& row : OptionRows()) names.push_back(row.name);
    warnings->push_back(std::string(source) + ": unknown property " + std::string(name) + " is ignored" +
                        DidYouMean(name, names));
    return absl::OkStatus();
  }
  return Annotate(status, source);
}

}  // namespace

absl::Status ApplyConfigFile(const std::string& path, Options* options, std::vector<std::string>* warnings) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<SiteProperty> properties, ReadSiteFile(path));
  for (const SiteProperty& property : properties) {
    const std::string source = "configuration file " + path;
    if (property.value.find("${") != std::string::npos && IsOption(property.name)) {
      return absl::InvalidArgumentError(source + ": " + property.name + " is \"" + property.value +
                                        "\", and variables are not replaced by their values here");
    }
    VAQUITA_RETURN_IF_ERROR(Apply(source, property.name, property.value, options, warnings));
  }
  return absl::OkStatus();
}

std::string EnvironmentName(std::string_view property) {
  constexpr std::string_view kOwn = "vaquita.";
  if (property.substr(0, kOwn.size()) == kOwn) property.remove_prefix(kOwn.size());
  std::string name(kVariablePrefix);
  for (const char c : property) {
    name += c == '.' || c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return name;
}

absl::Status ApplyEnvironment(const char* const* environment, Options* options, std::vector<std::string>* warnings) {
  for (; *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    if (entry.substr(0, kVariablePrefix.size()) != kVariablePrefix) continue;
    const std::string_view variable = entry.substr(0, entry.find('='));
    const std::string_view value = variable.size() < entry.size() ? entry.substr(variable.size() + 1) : "";
    if (kOtherVariables.contains(variable)) continue;
    const auto& rows = OptionRows();
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const OptionRow& r) { return EnvironmentName(r.name) == variable; });
    if (row == rows.end()) {
      std::vector<std::string> names;
      for (const OptionRow& known : rows) names.push_back(EnvironmentName(known.name));
      warnings->push_back("environment variable " + std::string(variable) + " is not a property and is ignored" +
                          DidYouMean(variable, {names.begin(), names.end()}));
      continue;
    }
    VAQUITA_RETURN_IF_ERROR(
        Apply("environment variable " + std::string(variable), row->name, value, options, warnings));
  }
  return absl::OkStatus();
}

absl::Status ApplyAssignments(const std::vector<std::string>& assignments, Options* options,
                              std::vector<std::string>* warnings) {
  for (const std::string& assignment : assignments) {
    const size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0) {
      return absl::InvalidArgumentError("-D " + assignment + ": must be NAME=VALUE");
    }
    VAQUITA_RETURN_IF_ERROR(Apply("-D " + assignment, std::string_view(assignment).substr(0, equals),
                                  std::string_view(assignment).substr(equals + 1), options, warnings));
  }
  return absl::OkStatus();
}

}  // namespace vaquita

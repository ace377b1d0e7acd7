#include "tools/commands.h"

#include <cstdio>
#include <string>

#include "base/options.h"
#include "server/process/configuration.h"

namespace vaquita {
namespace {

// A default without a bound prints as "no limit", not as the largest number.
std::string DefaultText(const OptionRow& row, const Options& defaults) {
  const std::string text = OptionText(row, defaults);
  return text == std::to_string(std::numeric_limits<int64_t>::max()) ? "no limit" : text;
}

std::string MeaningText(const OptionRow& row) { return std::string(row.meaning) + (IsLive(row) ? " Live." : ""); }

void PrintText(const OptionRow& row, const Options& defaults) {
  std::printf("%.*s\n    default  %s%s%.*s\n    env      %s\n    %s\n\n", int(row.name.size()), row.name.data(),
              DefaultText(row, defaults).c_str(), row.unit.empty() ? "" : " ", int(row.unit.size()), row.unit.data(),
              EnvironmentName(row.name).c_str(), MeaningText(row).c_str());
}

void PrintMarkdown(const OptionRow& row, const Options& defaults) {
  std::printf("| `%.*s` | %s | %.*s | `%s` | %s |\n", int(row.name.size()), row.name.data(),
              DefaultText(row, defaults).c_str(), int(row.unit.size()), row.unit.data(),
              EnvironmentName(row.name).c_str(), MeaningText(row).c_str());
}

void PrintXml(const OptionRow& row, const Options& defaults) {
  std::printf(
      "  <property>\n    <name>%.*s</name>\n    <value>%s</value>\n    <description>%s</description>\n  "
      "</property>\n",
      int(row.name.size()), row.name.data(), OptionText(row, defaults).c_str(), MeaningText(row).c_str());
}

}  // namespace

int PrintConfig(ConfigFormat format) {
  const Options defaults;
  if (format == ConfigFormat::kMarkdown) {
    std::printf("| property | default | unit | environment | meaning |\n| --- | --- | --- | --- | --- |\n");
  } else if (format == ConfigFormat::kXml) {
    std::printf("<?xml version=\"1.0\"?>\n<configuration>\n");
  }
  for (const OptionRow& row : OptionRows()) {
    switch (format) {
      case ConfigFormat::kText:
        PrintText(row, defaults);
        break;
      case ConfigFormat::kMarkdown:
        PrintMarkdown(row, defaults);
        break;
      case ConfigFormat::kXml:
        PrintXml(row, defaults);
        break;
    }
  }
  if (format == ConfigFormat::kXml) std::printf("</configuration>\n");
  return 0;
}

}  // namespace vaquita

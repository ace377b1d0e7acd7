// tools/config_command.h: `vaquita config`: every property with its default, unit and meaning.
#pragma once

namespace vaquita {

enum class ConfigFormat {
  kText,
  kMarkdown,  // docs/configuration.md's table
  kXml,       // a file in hbase-site.xml's format with every default
};

int PrintConfig(ConfigFormat format);

}  // namespace vaquita

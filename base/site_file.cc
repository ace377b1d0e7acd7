#include "base/site_file.h"

#include <sstream>
#include <string_view>

#include "pugixml.hpp"

namespace vaquita {
namespace {

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const size_t first = text.find_first_not_of(kBlank);
  return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

}  // namespace

absl::StatusOr<std::vector<SiteProperty>> ReadSiteFile(const std::string& path) {
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_file(path.c_str());
  if (parsed.status == pugi::status_file_not_found || parsed.status == pugi::status_io_error) {
    return absl::InvalidArgumentError("configuration file " + path + " cannot be read");
  }
  if (!parsed) {
    return absl::InvalidArgumentError("configuration file " + path + ": " + parsed.description() + " at byte " +
                                      std::to_string(parsed.offset));
  }
  const pugi::xml_node configuration = document.child("configuration");
  if (!configuration) {
    return absl::InvalidArgumentError("configuration file " + path +
                                      ": its root must be <configuration>, as in HBase's hbase-site.xml");
  }
  std::vector<SiteProperty> properties;
  for (const pugi::xml_node property : configuration.children("property")) {
    const std::string_view name = Trimmed(property.child_value("name"));
    if (name.empty()) {
      return absl::InvalidArgumentError("configuration file " + path + ": a <property> without a <name> at byte " +
                                        std::to_string(property.offset_debug()));
    }
    properties.push_back({std::string(name), std::string(Trimmed(property.child_value("value")))});
  }
  return properties;
}

std::string WriteSiteFile(const std::vector<SiteProperty>& properties) {
  pugi::xml_document document;
  document.append_child(pugi::node_declaration).append_attribute("version") = "1.0";
  pugi::xml_node configuration = document.append_child("configuration");
  for (const SiteProperty& property : properties) {
    pugi::xml_node node = configuration.append_child("property");
    node.append_child("name").text() = property.name.c_str();
    node.append_child("value").text() = property.value.c_str();
  }
  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

}  // namespace vaquita

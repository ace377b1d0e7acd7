#include "base/site_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <system_error>

#include "base/status.h"
#include "pugixml.hpp"

namespace vaquita {
namespace {

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const size_t first = text.find_first_not_of(kBlank);
  return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

// Returns the text of an element; a comment may stand in the middle of it.
std::string ElementText(pugi::xml_node element) {
  std::string text;
  for (const pugi::xml_node part : element.children()) {
    if (part.type() == pugi::node_pcdata || part.type() == pugi::node_cdata) text += part.value();
  }
  return std::string(Trimmed(text));
}

absl::Status Wrong(const std::string& path, const std::string& what, pugi::xml_node at) {
  return absl::InvalidArgumentError("configuration file " + path + ": " + what + " at byte " +
                                    std::to_string(at.offset_debug()));
}

absl::StatusOr<SiteProperty> ReadProperty(const std::string& path, pugi::xml_node property) {
  SiteProperty read;
  read.name = ElementText(property.child("name"));
  if (read.name.empty()) return Wrong(path, "a <property> without a <name>", property);
  const pugi::xml_node value = property.child("value");
  if (!value) return Wrong(path, "the <property> " + read.name + " without a <value>", property);
  read.value = ElementText(value);
  return read;
}

}  // namespace

absl::StatusOr<std::vector<SiteProperty>> ReadSiteFile(const std::string& path) {
  std::error_code error;
  const auto type = std::filesystem::status(path, error).type();
  if (error || type != std::filesystem::file_type::regular) {
    return absl::InvalidArgumentError("configuration file " + path +
                                      " cannot be read: " + (error ? error.message() : "it is not a file"));
  }
  pugi::xml_document document;
  errno = 0;
  const pugi::xml_parse_result parsed = document.load_file(path.c_str());
  if (parsed.status == pugi::status_file_not_found || parsed.status == pugi::status_io_error) {
    return absl::InvalidArgumentError("configuration file " + path + " cannot be read: " + std::strerror(errno));
  }
  if (!parsed) {
    return absl::InvalidArgumentError("configuration file " + path + ": " + parsed.description() + " at byte " +
                                      std::to_string(parsed.offset));
  }
  const pugi::xml_node configuration = document.document_element();
  if (configuration.name() != std::string_view("configuration")) {
    return absl::InvalidArgumentError("configuration file " + path +
                                      ": its root must be <configuration>, as in HBase's hbase-site.xml");
  }
  for (const pugi::xml_node other : document.children()) {
    if (other.type() == pugi::node_element && other != configuration) return Wrong(path, "a second root", other);
  }
  std::vector<SiteProperty> properties;
  for (const pugi::xml_node element : configuration.children()) {
    if (element.type() != pugi::node_element) continue;
    // A misspelt <property>, or an <xi:include>, would be settings that are lost.
    if (element.name() != std::string_view("property")) {
      return Wrong(path, "<" + std::string(element.name()) + "> is not <property>; other elements are not read",
                   element);
    }
    VAQUITA_ASSIGN_OR_RETURN(properties.emplace_back(), ReadProperty(path, element));
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

#include "server/info/jmx_beans.h"

#include <map>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/absl_text.h"
#include "base/json.h"
#include "server/frontend/http/url_query.h"

namespace vaquita {
namespace {

// Returns whether `pattern` matches the whole text. '*' stands for any characters, '?' for one.
bool MatchesWildcards(std::string_view pattern, std::string_view text) {
  size_t at = 0, in = 0, star = std::string_view::npos, star_in = 0;
  while (in < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      star_in = in;
    } else if (at < pattern.size() && (pattern[at] == '?' || pattern[at] == text[in])) {
      ++at;
      ++in;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      in = ++star_in;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

// javax.management.ObjectName: a domain, and properties in any order. A pattern may end its properties with '*', for
// any others.
struct ObjectName {
  std::string domain;
  std::map<std::string, std::string> properties;
  bool any_others = false;

  bool Matches(const ObjectName& name) const {
    if (!MatchesWildcards(domain, name.domain)) return false;
    if (!any_others && properties.size() != name.properties.size()) return false;
    for (const auto& [key, value] : properties) {
      const auto found = name.properties.find(key);
      if (found == name.properties.end() || !MatchesWildcards(value, found->second)) return false;
    }
    return true;
  }
};

// Returns nullopt for text that is no object name. An empty text is the pattern of all.
std::optional<ObjectName> ParseObjectName(std::string_view text) {
  if (text.empty()) return ObjectName{.domain = "*", .properties = {}, .any_others = true};
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  ObjectName name;
  name.domain = text.substr(0, colon);
  for (const absl::string_view part : absl::StrSplit(AbslText(text.substr(colon + 1)), ',')) {
    const size_t equals = part.find('=');
    if (part == "*" && !name.any_others) {
      name.any_others = true;
    } else if (equals == absl::string_view::npos || equals == 0 ||
               !name.properties.emplace(std::string(part.substr(0, equals)), std::string(part.substr(equals + 1)))
                    .second) {
      return std::nullopt;
    }
  }
  return name;
}

http::Response JsonPage(std::string body) {
  return {.status = 200, .content_type = "application/json; charset=utf8", .body = std::move(body)};
}

// Appends the bean with these attributes, or, if `attribute` is set, with that one alone. Returns whether it has it.
bool AppendBean(const JmxBeans::Bean& bean, const std::optional<std::string>& attribute, std::string* json) {
  absl::StrAppend(json, json->empty() ? "" : ",", "\n    {\n      \"name\": ", JsonString(bean.name),
                  ",\n      \"modelerType\": ", JsonString(bean.type));
  bool found = !attribute.has_value();
  for (const auto& [name, value] : bean.attributes) {
    if (attribute.has_value() && name != *attribute) continue;
    found = true;
    absl::StrAppend(json, ",\n      ", JsonString(name), ": ", value);
  }
  if (!found) {
    absl::StrAppend(json, ",\n      \"result\": \"ERROR\",\n      \"message\": ",
                    JsonString("No attribute with name " + *attribute + " was found."));
  }
  json->append("\n    }");
  return found;
}

}  // namespace

void JmxBeans::Text(std::string_view attribute, std::string_view value) {
  beans_.back().attributes.emplace_back(attribute, JsonString(value));
}

void JmxBeans::Number(std::string_view attribute, int64_t value) {
  beans_.back().attributes.emplace_back(attribute, std::to_string(value));
}

void JmxBeans::Real(std::string_view attribute, double value) {
  std::string text = absl::StrCat(value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  beans_.back().attributes.emplace_back(attribute, std::move(text));
}

http::Response JmxPage(const JmxBeans& beans, std::string_view query) {
  const auto parameters = http::ParseUrlQuery(query);
  if (!parameters.ok()) return {.status = 400, .body = std::string(parameters.status().message()) + "\n"};
  std::string wanted, excluded;
  std::optional<std::string> attribute;
  for (const auto& [name, value] : *parameters) {
    if (name == "qry" && !attribute.has_value()) {
      wanted = value;
    } else if (name == "excl") {
      excluded = value;
    } else if (name == "get") {
      const std::vector<std::string> parts = absl::StrSplit(value, "::");
      if (parts.size() != 2) {
        return JsonPage("{\n  \"result\": \"ERROR\",\n  \"message\": \"query format is not as expected.\"\n}");
      }
      wanted = parts[0];
      attribute = parts[1];
    } else if (name == "callback" || name == "description") {
      return {.status = 400, .body = name + " is not supported here: /jmx answers qry, excl and get with JSON\n"};
    }
  }
  const auto pattern = ParseObjectName(wanted);
  const auto exclusion = excluded.empty() ? ObjectName() : ParseObjectName(excluded);
  if (!pattern.has_value() || !exclusion.has_value()) return JsonPage("{}");
  std::string list;
  for (const JmxBeans::Bean& bean : beans.beans()) {
    const auto name = ParseObjectName(bean.name);
    if (!name.has_value() || !pattern->Matches(*name) || exclusion->Matches(*name)) continue;
    if (!AppendBean(bean, attribute, &list)) break;  // so does HBase
  }
  return JsonPage("{\n  \"beans\": [" + list + (list.empty() ? "]\n}" : "\n  ]\n}"));
}

}  // namespace vaquita

// tools/shell/json_text.h: JSON as Gson prints it for people, which HBase's shell uses for records of a log.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vaquita::shell {

// Collects an object's fields in their order.
class JsonText {
 public:
  // Gson writes <, >, &, = and ' as numbers, unless it is told not to.
  explicit JsonText(bool escape_html) : escape_html_(escape_html) {}

  JsonText& Add(std::string_view name, std::string_view text);
  JsonText& Add(std::string_view name, int64_t number);
  JsonText& Add(std::string_view name, double number);
  JsonText& Add(std::string_view name, const std::vector<std::string>& texts);
  // Returns the object with a line for each field.
  std::string ToString() const;

 private:
  std::string Quoted(std::string_view text) const;
  JsonText& AddValue(std::string_view name, const std::string& value);

  const bool escape_html_;
  std::vector<std::string> fields_;
};

}  // namespace vaquita::shell

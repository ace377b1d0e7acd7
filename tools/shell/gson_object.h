// tools/shell/gson_object.h: JSON as Gson prints it for people, which HBase's shell uses for records of a log.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vaquita::shell {

// Collects an object's fields in their order.
class GsonObject {
 public:
  // Gson writes <, >, &, = and ' as numbers, unless it is told not to.
  explicit GsonObject(bool escape_html) : escape_html_(escape_html) {}

  GsonObject& Add(std::string_view name, std::string_view text);
  GsonObject& Add(std::string_view name, int64_t number);
  GsonObject& Add(std::string_view name, double number);
  GsonObject& Add(std::string_view name, const std::vector<std::string>& texts);
  // Returns the object with a line for each field.
  std::string ToString() const;

 private:
  std::string Quoted(std::string_view text) const;
  GsonObject& AddValue(std::string_view name, const std::string& value);

  const bool escape_html_;
  std::vector<std::string> fields_;
};

}  // namespace vaquita::shell

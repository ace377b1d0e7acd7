#include "lab/records/record.h"

namespace vaquita::lab {

std::optional<int> Schema::Find(std::string_view name) const {
  for (size_t i = 0; i < fields_.size(); ++i) {
    if (fields_[i].name == name) return static_cast<int>(i);
  }
  return std::nullopt;
}

std::string Schema::Names() const {
  std::string names;
  for (const Field& field : fields_) names.append(names.empty() ? "" : ", ").append(field.name);
  return names;
}

}  // namespace vaquita::lab

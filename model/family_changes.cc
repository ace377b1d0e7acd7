#include "model/family_changes.h"

#include "base/status.h"

namespace vaquita {
namespace {

absl::Status Refusal(const std::string& text) { return Error(ErrorKind::kInvalidFamilyOperation, text); }

absl::Status NoFamily(const std::string& family, const std::string& done) {
  return Refusal("Family '" + family + "' does not exist, so it cannot be " + done);
}

}  // namespace

absl::Status AddFamily(const FamilyDescriptor& family, TableDescriptor* table) {
  if (table->families.emplace(family.name, family).second) return absl::OkStatus();
  return Refusal("Column family '" + family.name + "' in table '" + table->name.ToString() +
                 "' already exists so cannot be added");
}

absl::Status ModifyFamily(const FamilyDescriptor& family, TableDescriptor* table) {
  const auto it = table->families.find(family.name);
  if (it == table->families.end()) return NoFamily(family.name, "modified");
  it->second = family;
  return absl::OkStatus();
}

absl::Status DeleteFamily(const std::string& family, TableDescriptor* table) {
  const auto it = table->families.find(family);
  if (it == table->families.end()) return NoFamily(family, "deleted");
  if (table->families.size() == 1) {
    return Refusal("Family '" + family + "' is the only column family in the table, so it cannot be deleted");
  }
  table->families.erase(it);
  return absl::OkStatus();
}

}  // namespace vaquita

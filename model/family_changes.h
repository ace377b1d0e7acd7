// model/family_changes.h: the changes of one family of a table, with HBase's refusals.
//
// Errors: kInvalidFamilyOperation; the table is unchanged then. Source: HMaster.addColumn, modifyColumn and
// deleteColumn (2.6).
#pragma once

#include <string>

#include "absl/status/status.h"
#include "model/table_descriptor.h"

namespace vaquita {

absl::Status AddFamily(const FamilyDescriptor& family, TableDescriptor* table);
absl::Status ModifyFamily(const FamilyDescriptor& family, TableDescriptor* table);
absl::Status DeleteFamily(const std::string& family, TableDescriptor* table);

}  // namespace vaquita

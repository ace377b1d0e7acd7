// model/legal_name.h: the characters that names of tables, namespaces and snapshots may have.
//
// Source: TableName.isLegalTableQualifierName, isLegalNamespaceName (2.6).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace vaquita {

// HBase refuses this name because it is ZooKeeper's own node.
inline constexpr char kDisallowedName[] = "zookeeper";

// A character that a name may not have: its code, its bytes, and its place as Java counts.
struct IllegalCharacter {
  char32_t code = 0;
  std::string bytes;
  size_t position = 0;
};

// Finds the first character that is neither a letter, a digit nor in `also_legal`; false if there is none.
bool FindIllegal(std::string_view text, std::string_view also_legal, IllegalCharacter* illegal);

enum class QualifierOf { kTable, kSnapshot };
// Returns kIllegalArgument in HBase's words if the qualifier is not legal.
absl::Status CheckQualifier(std::string_view qualifier, QualifierOf what);

}  // namespace vaquita

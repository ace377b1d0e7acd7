// model/table_name.h: a table's name: namespace and qualifier.
//
// Source: org.apache.hadoop.hbase.TableName (2.6): "qualifier" is in the namespace "default"; "ns:qualifier" in ns;
// letters, digits, '_', '-' and '.'; a qualifier not starting with '-' or '.'. Namespace "hbase" is the system's.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace vaquita {

struct TableName {
  std::string ns = "default";
  std::string qualifier;

  // Reads "t" or "ns:t". kIllegalArgument in HBase's words for an illegal name.
  static absl::StatusOr<TableName> Parse(std::string_view text);
  // Returns "t" for the default namespace, else "ns:t", as HBase writes it into region names and meta rows.
  std::string ToString() const { return ns == "default" ? qualifier : ns + ":" + qualifier; }
  bool IsSystem() const { return ns == "hbase"; }

  friend bool operator==(const TableName&, const TableName&) = default;
  friend auto operator<=>(const TableName&, const TableName&) = default;
};

// Checks a namespace's name by HBase's rule: letters, digits and '_'.
absl::Status CheckNamespaceName(std::string_view name);

inline const TableName kMetaTableName{"hbase", "meta"};

}  // namespace vaquita

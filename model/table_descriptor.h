// model/table_descriptor.h: a table's families and attributes, with HBase's names, defaults and rules.
//
// Source: TableDescriptorBuilder, TableDescriptorChecker (2.6).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/durability.h"
#include "model/family_descriptor.h"
#include "model/table_name.h"

namespace vaquita {

struct TableDescriptor {
  TableName name;
  std::map<std::string, FamilyDescriptor> families;  // by name
  int64_t max_file_bytes = -1;                       // MAX_FILESIZE; -1: the server's
  int64_t memstore_flush_bytes = -1;                 // MEMSTORE_FLUSHSIZE; -1: the server's
  Durability durability = Durability::kUseDefault;
  bool read_only = false;
  bool compaction_enabled = true;
  bool split_enabled = true;
  bool merge_enabled = true;
  std::string split_policy;  // SPLIT_POLICY: a class name, with or without its package; empty: the server's
  std::map<std::string, std::string> attributes;  // any other
  std::map<std::string, std::string> configuration;

  // Sets the attribute HBase calls `name` (e.g. MAX_FILESIZE, READONLY, DURABILITY). Returns kIllegalArgument if the
  // value is malformed. A name that HBase does not know is kept in `attributes`, as in HBase.
  absl::Status Set(std::string_view name, std::string_view value);
  // Returns the attributes that differ from the default, in HBase's names and as HBase keeps them (sizes are digits;
  // see PrettySize): the reserved ones first, as `describe` prints them, then those it prints under METADATA.
  std::vector<std::pair<std::string, std::string>> Options() const;
  const FamilyDescriptor* FindFamily(std::string_view family) const;
  // Returns the family whose stores have this name (FamilyDescriptor::StoreName), or null.
  const FamilyDescriptor* FindFamilyOfStore(std::string_view store_name) const;
  // Returns the value that the table's attributes or configuration set for a server's property, or empty.
  std::string_view Setting(const std::string& property) const;
  // Returns Setting() as a number, or `default_value` if the table does not set it.
  int64_t Number(const std::string& property, int64_t default_value) const;
  // Returns REGION_REPLICATION: how many replicas a region has, with the primary.
  int32_t RegionReplication() const;
  // Returns SPLIT_POLICY, or the table's value for the server's property; empty means the server's policy.
  std::string_view SplitPolicy() const;
  // Returns hbase.table.sanity.checks of the table, or `by_default`, the server's, if it has none.
  bool HasSanityChecks(bool by_default) const;
  // Checks that names are legal, and makes HBase's sanity checks: at least one family, sizes over their minima, each
  // family's own, a known split policy. The table's own hbase.table.sanity.checks, if it has one, counts, not
  // `sanity_checks`.
  absl::Status Validate(bool sanity_checks = true) const;

  friend bool operator==(const TableDescriptor&, const TableDescriptor&) = default;
};

// Changes a table's descriptor, or returns why that cannot be done. It may run more than once.
using TableChange = std::function<absl::Status(TableDescriptor*)>;

// Returns HBase's refusal of a descriptor that fails its sanity checks: kDoNotRetryIO.
absl::Status SanityError(std::string_view message);

// Returns whether HBase's `describe` prints this attribute by itself, not under METADATA.
bool IsReservedTableAttribute(std::string_view name);

// Returns the table's attributes as HBase prints them behind its name: ", {TABLE_ATTRIBUTES => {MAX_FILESIZE => '...',
// METADATA => {'k' => 'v'}}}", or nothing if it has none (TableDescriptor.toString, the shell's describe).
std::string AttributesText(const TableDescriptor& table);

// Returns a size as HBase prints it: "10763632640 B (10GB 25MB)" (PrettyPrinter).
std::string PrettySize(int64_t bytes);

}  // namespace vaquita

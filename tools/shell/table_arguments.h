// tools/shell/table_arguments.h: turns the arguments of `create` and `alter` into a table descriptor and split keys.
//
// Source: hbase-shell's hbase/admin.rb (2.6): create, alter, hcd, update_htd_from_arg.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/table_descriptor.h"
#include "tools/shell/command.h"
#include "tools/shell/value.h"

namespace vaquita::shell {

struct NewTable {
  TableDescriptor descriptor;
  std::vector<std::string> split_keys;
};

// Reads the table that `create` describes: arguments[0] is its name. Prints ignored arguments on `out`, as HBase does.
absl::StatusOr<NewTable> ReadNewTable(const Arguments& arguments, std::ostream& out);

// Sets up `family` from `argument`: a name, or a hash with NAME and options. Prints options that HBase's shell does not
// know on `out`.
absl::Status ReadFamily(const Value& argument, const TableDescriptor& table, std::ostream& out,
                        FamilyDescriptor* family);

// Takes the table attributes out of `options` and sets them.
absl::Status ReadTableAttributes(Hash& options, TableDescriptor* table);

}  // namespace vaquita::shell

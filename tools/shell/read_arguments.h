// tools/shell/read_arguments.h: the arguments of `get`, `scan` and `count`, turned into a Get or a Scan.
//
// Source: hbase-shell's hbase/table.rb (2.6): _get_internal, _hash_to_scan, parse_column_name.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/operations.h"
#include "tools/shell/cell_text.h"
#include "tools/shell/command.h"

namespace vaquita::shell {

// "family", "family:qualifier" or "family:qualifier:method".
struct ColumnName {
  std::string family;
  std::optional<std::string> qualifier;
  std::string method;
};
ColumnName ParseColumn(std::string_view text);

// HBase's refusal of an empty row and of one that is too long.
absl::Status CheckRow(std::string_view row);
// The number under `name`, or `missing`. An error that names the option if it is something else.
absl::StatusOr<int64_t> IntegerOption(const Hash& options, std::string_view name, int64_t missing);

// arguments: table, row, and columns or a hash of options.
absl::StatusOr<Get> ReadGet(const Arguments& arguments, CellFormat* format);
// What STARTROW, COLUMNS, FILTER and their like in `options` say.
absl::StatusOr<Scan> ReadScan(Hash options, CellFormat* format);

}  // namespace vaquita::shell

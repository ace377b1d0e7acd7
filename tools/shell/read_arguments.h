// tools/shell/read_arguments.h: turns the arguments of `get`, `scan` and `count` into a Get or a Scan.
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

// Returns HBase's error if the row is empty or too long.
absl::Status CheckRow(std::string_view row);
// Returns the number under `name`, or `missing`. Returns an error that names the option if it is not a number.
absl::StatusOr<int64_t> IntegerOption(const Hash& options, std::string_view name, int64_t missing);

// arguments: table, row, and columns or a hash of options.
absl::StatusOr<Get> ReadGet(const Arguments& arguments, CellFormat* format);
// Makes a scan of STARTROW, COLUMNS, FILTER and the like in `options`.
absl::StatusOr<Scan> ReadScan(Hash options, CellFormat* format);

}  // namespace vaquita::shell

// tools/shell/alter_table.h: the commands `alter`, `alter_async` and `alter_status`.
//
// Source: hbase-shell's hbase/admin.rb (2.6): alter, alter_status.
#pragma once

#include "absl/status/status.h"
#include "tools/shell/command.h"

namespace vaquita::shell {

// Changes the table arguments[0] by the further arguments. With `wait`, prints its progress.
absl::Status AlterTable(Context& context, const Arguments& arguments, bool wait);

// Prints "3/3 regions updated." and "Done.". The server has applied a change before it answers, so all regions have it.
absl::Status PrintAlterStatus(Context& context, const TableName& table);

}  // namespace vaquita::shell

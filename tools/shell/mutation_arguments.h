// tools/shell/mutation_arguments.h: turns the arguments of `put`, `delete`, `deleteall`, `incr` and `append` into
// mutations.
//
// Source: hbase-shell's hbase/table.rb (2.6): _put_internal, _createdelete_internal, _incr_internal, _append_internal.
#pragma once

#include "absl/status/statusor.h"
#include "model/operations.h"
#include "tools/shell/command.h"

namespace vaquita::shell {

// arguments: table, row, column, value, timestamp or options, options.
absl::StatusOr<Mutation> ReadPut(const Arguments& arguments);
// arguments: table, row, column, timestamp. `all_versions` (deleteall): every version at or before the timestamp, and
// without a column the whole row; else (delete) the one version at it, or the newest.
absl::StatusOr<Mutation> ReadDelete(const Arguments& arguments, bool all_versions);
// arguments: table, row, column, amount (1 if it is missing), options.
absl::StatusOr<Mutation> ReadIncrement(const Arguments& arguments);
// arguments: table, row, column, value, options.
absl::StatusOr<Mutation> ReadAppend(const Arguments& arguments);

}  // namespace vaquita::shell

// sql/engine/engine_functions.h: Phoenix's operators and functions where SQLite's differ.
//
// Threads: as SQLite's connection.
#pragma once

#include "absl/status/status.h"

struct sqlite3;

namespace vaquita::sql {

struct FunctionHost;

// Registers the functions named px_. `*host` must outlive the connection.
absl::Status RegisterFunctions(sqlite3* database, FunctionHost* host);

}  // namespace vaquita::sql

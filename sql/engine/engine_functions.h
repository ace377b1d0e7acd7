// sql/engine/engine_functions.h: Phoenix's operators and functions where SQLite's differ.
//
// Threads: as SQLite's connection.
#pragma once

#include "absl/status/status.h"

struct sqlite3;

namespace vaquita::sql {

// Registers the functions named px_. A function that fails sets `*error`, which must outlive the connection.
absl::Status RegisterFunctions(sqlite3* database, absl::Status* error);

}  // namespace vaquita::sql

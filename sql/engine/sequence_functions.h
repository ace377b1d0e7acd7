// sql/engine/sequence_functions.h: NEXT VALUE FOR and CURRENT VALUE FOR as functions of SQLite.
//
// All that a row asks of a sequence has one value. Threads: as SQLite's connection.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "absl/status/status.h"
#include "sql/catalog/sequences.h"

struct sqlite3;

namespace vaquita::sql {

// The values of the row that a query computes.
struct SequenceValues {
  std::shared_ptr<Sequences> sequences;
  absl::Status* error = nullptr;  // set by a function that fails
  int64_t row = -1;
  std::map<TableIdent, int64_t> values;

  // Prepares for the next run of the query.
  void Reset() {
    row = -1;
    values.clear();
  }
};

// Registers px_next(SCHEMA, NAME, COUNT, ROW) and px_current(SCHEMA, NAME, ROW). `*values` must outlive the connection.
absl::Status RegisterSequenceFunctions(sqlite3* database, SequenceValues* values);

}  // namespace vaquita::sql

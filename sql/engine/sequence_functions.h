// sql/engine/sequence_functions.h: the values that NEXT VALUE FOR and CURRENT VALUE FOR have in a row.
//
// All that a row asks of a sequence has one value. Threads: as SQLite's connection.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "sql/catalog/sequences.h"

namespace vaquita::sql {

// The values of the row that a query computes.
struct SequenceValues {
  std::shared_ptr<Sequences> sequences;
  int64_t row = -1;
  std::map<TableIdent, int64_t> values;

  // Prepares for the next run of the query.
  void Reset() {
    row = -1;
    values.clear();
  }
};

}  // namespace vaquita::sql

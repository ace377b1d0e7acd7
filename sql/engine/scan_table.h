// sql/engine/scan_table.h: makes an HBase table a virtual table of SQLite. Each use is a scan.
//
// Conditions that SQLite passes on for key columns, also those of a join, become ranges of rows
// (sql/plan/key_ranges.h); only the columns that the query uses are read. Threads: as SQLite's connection.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "client/connection.h"
#include "sql/catalog/table_def.h"
#include "sql/engine/row_reader.h"

struct sqlite3;

namespace vaquita::sql {

// Scans of one database of SQLite share this. It must outlive the database.
struct ScanContext {
  std::shared_ptr<client::Connection> connection;
  std::vector<TablePtr> tables;  // by number; null if the number is a sub-query's
  absl::Status error;            // set by the last scan or function that failed
  int64_t rows_read = 0;
  int64_t cells_read = 0;
  int64_t open_scans = 0;
  std::vector<int32_t> outputs;  // columns of the only table that are read from `row` and not through SQLite
  RowReader* row = nullptr;      // at the row to which a scan went last; null before the first one
};

// Makes the virtual tables t0, t1, ... of the context's tables. Returns NotSupported if one is too wide.
absl::Status CreateScanTables(sqlite3* database, ScanContext* context);

}  // namespace vaquita::sql

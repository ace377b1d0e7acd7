// sql/engine/part_table.h: the parts of aggregates that regions compute, as a virtual table of SQLite.
//
// Each use asks the regions for their parts (sql/engine/part_reader.h). Threads: as SQLite's connection.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "client/connection.h"
#include "model/operations.h"
#include "sql/encoding/sql_type.h"
#include "sql/engine/part_reader.h"

struct sqlite3;

namespace vaquita::sql {

// A database of SQLite has one. It must outlive the database.
struct PartSource {
  std::shared_ptr<client::Connection> connection;
  TableName table;
  size_t number = 0;                  // the virtual table's
  std::vector<SqlType> types;         // its columns' types
  Scan scan;                          // its rows are
  std::vector<RowRange> ranges;       // these
  std::string plan;                   // a phoenix::AggregatePlan
  QueryThreads threads;               // ask the regions
  std::function<absl::Status()> due;  // an error if the query has to end
  absl::Status* error = nullptr;      // set by the use that failed: kUnsupportedOperation if the rows have to be read
  int64_t rows_read = 0;              // beside the regions
  int64_t parts_read = 0;
};

// Makes the virtual table tN, N being the source's number, with columns c0, c1, ....
absl::Status CreatePartTable(sqlite3* database, PartSource* source);

}  // namespace vaquita::sql

// sql/engine/indexed_writer.h: writes the rows of a table together with those of its indexes.
//
// A commit runs in three phases, as in Phoenix: the indexes' rows, old and new, are marked unverified; the table's rows
// are written, each if it is still as it was read; the new rows of the indexes become verified, and the old ones go.
// Whoever reads an unverified row asks the table (sql/engine/index_rows.h). So an index never shows what the table does
// not have, whenever a writer ends. All cells of a row and of its index rows have one time, which is above that of the
// row before: what an earlier writer does late stays hidden. Threads: functions. Source: IndexRegionObserver (5.2).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/connection.h"
#include "sql/catalog/table_def.h"
#include "sql/engine/row_steps.h"

namespace vaquita::sql {

// Runs the steps on each row, by its key. Returns the number of rows that all steps left as they were, or the first
// error; other rows may have been written.
absl::StatusOr<int64_t> WriteIndexedRows(const std::shared_ptr<client::Connection>& connection, const TablePtr& table,
                                         const std::map<std::string, std::vector<RowStep>>& rows);

// Writes the rows of an index that its table has now, verified, in batches. Returns the number of the table's rows.
absl::StatusOr<int64_t> BuildIndex(const std::shared_ptr<client::Connection>& connection, const TablePtr& index,
                                   const TablePtr& table);

// A writer has one from when it reads the list of its table's indexes until its rows are written.
class IndexListLock {
 public:
  IndexListLock();
  IndexListLock(const IndexListLock&) = delete;
  IndexListLock& operator=(const IndexListLock&) = delete;
  ~IndexListLock();

 private:
  uint64_t generation_;
};
// Waits until all writers of this process have ended that may not know of a new index.
void WaitForWriters();

}  // namespace vaquita::sql

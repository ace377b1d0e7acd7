// sql/engine/pending_changes.h: the rows that a session has changed and not yet committed.
//
// Several changes of a row become one, because they get one time and a delete would hide a put of that time. Threads:
// one at a time. Source: MutationState (5.2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/connection.h"
#include "sql/catalog/table_def.h"
#include "sql/encoding/value.h"
#include "sql/engine/query_limits.h"
#include "sql/engine/row_steps.h"
#include "sql/engine/row_writer.h"

namespace vaquita::sql {

class PendingChanges {
 public:
  // The most that may wait for a commit: phoenix.mutate.maxSize, phoenix.mutate.maxSizeBytes.
  static constexpr size_t kMostRows = 500'000;
  static constexpr size_t kMostBytes = 100 << 20;

  // `all` counts the changes of other sessions, too.
  explicit PendingChanges(std::shared_ptr<WaitingChanges> all) : all_(std::move(all)) {}
  PendingChanges(const PendingChanges&) = delete;
  PendingChanges& operator=(const PendingChanges&) = delete;
  ~PendingChanges() { Clear(); }

  // Adds an upsert. Returns the errors of RowWriter::Key. `rule` says what is done instead if the row is
  // there, with the parameters of its statement; it may be null.
  absl::Status Upsert(const std::shared_ptr<const TableDef>& table, ColumnValues values,
                      const std::shared_ptr<DuplicateRule>& rule = nullptr, std::span<const Value> parameters = {});
  // Adds the removal of a row. `key` has the values of the key's columns.
  void Delete(const std::shared_ptr<const TableDef>& table, const std::vector<Value>& key);

  // Returns Phoenix's error if more waits than may.
  absl::Status CheckSize() const;
  void Clear();
  // Writes all changes and forgets them, also after an error. Returns the number of rows that ON DUPLICATE KEY IGNORE
  // left as they were, or the first error; other rows may have been written.
  absl::StatusOr<int64_t> Write(const std::shared_ptr<client::Connection>& connection);

 private:
  // A plain upsert joins the step before it, unless that one depends on the row.
  using Row = std::vector<RowStep>;
  struct Table {
    std::shared_ptr<const TableDef> def;  // with the columns of all statements
    std::map<std::string, Row> rows;      // by row key
    // The definition of the last statement, and the place of its columns in `def`; null: the same.
    std::shared_ptr<const TableDef> last;
    std::unique_ptr<RowWriter> writer;  // for `last`
    Places places;
  };

  Table* TableOf(const std::shared_ptr<const TableDef>& table);
  void Count(size_t bytes);

  const std::shared_ptr<WaitingChanges> all_;
  std::map<TableIdent, Table> tables_;
  size_t rows_ = 0;
  size_t bytes_ = 0;  // the cells that all statements write, and the rules' parameters
};

}  // namespace vaquita::sql

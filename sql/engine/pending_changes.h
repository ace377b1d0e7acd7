// sql/engine/pending_changes.h: the rows that a session has changed and not yet committed.
//
// Several changes of a row become one, because they get one time and a delete would hide a put of that time. Those of a
// statement stay apart until it ends: one that fails changes nothing. Threads: one at a time. Source: MutationState
// (5.2).
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
#include "sql/catalog/catalog.h"
#include "sql/catalog/table_def.h"
#include "sql/encoding/value.h"
#include "sql/engine/query_limits.h"
#include "sql/engine/row_steps.h"
#include "sql/engine/row_writer.h"

namespace vaquita::sql {

class PendingChanges {
 public:
  // `all` counts the changes of other sessions, too, and says how many may wait.
  explicit PendingChanges(std::shared_ptr<WaitingChanges> all) : all_(std::move(all)) {}
  PendingChanges(const PendingChanges&) = delete;
  PendingChanges& operator=(const PendingChanges&) = delete;
  ~PendingChanges() { Clear(); }

  // Adds an upsert of the present statement. Returns the errors of RowWriter::Key. `rule` says what is done instead if
  // the row is there, with the parameters of its statement; it may be null.
  absl::Status Upsert(const TablePtr& table, ColumnValues values, const std::shared_ptr<DuplicateRule>& rule = nullptr,
                      std::span<const Value> parameters = {});
  // Adds the removal of a row. `key` has the values of the key's columns.
  void Delete(const TablePtr& table, const std::vector<Value>& key);
  void DeleteRow(const TablePtr& table, std::string row);
  // Ends the statement: its changes join those of earlier ones, or are forgotten.
  void KeepStatement();
  void DropStatement();

  // Returns whether rows wait that were changed by this definition, or by one that was read from the same rows of the
  // catalog: their commit will look at the catalog.
  bool Has(const TableDef& table) const;

  // Returns Phoenix's error if more waits than may.
  absl::Status CheckSize() const;
  void Clear();
  // Writes the changes of statements that have ended and forgets them, also after an error. Returns the number of rows
  // that ON DUPLICATE KEY IGNORE left as they were, or the first error; other rows may have been written. Rows are
  // refused that a table cannot have any more, because it was dropped or altered since.
  absl::StatusOr<int64_t> Write(const std::shared_ptr<client::Connection>& connection);

 private:
  struct Change {
    TablePtr table;
    std::string row;
    RowStep step;  // by the columns of `table`
  };
  struct Writer {
    TablePtr table;
    std::unique_ptr<RowWriter> writer;
  };
  // A plain upsert joins the step before it, unless that one depends on the row.
  using Row = std::vector<RowStep>;
  struct Table {
    TablePtr def;                     // with the columns of all statements, but the key of the first
    std::vector<TablePtr> versions;   // the statements', one of each that was read from the catalog
    std::map<std::string, Row> rows;  // by row key
    // The definition of the last statement, and the place of its columns in `def`; null: the same.
    TablePtr last;
    Places places;
  };

  const RowWriter& WriterOf(const TablePtr& table);
  Table* TableOf(const TablePtr& table);
  static absl::StatusOr<TablePtr> Present(Catalog catalog, const Table& table);
  static absl::StatusOr<int64_t> WriteRows(const std::shared_ptr<client::Connection>& connection, Table* table);
  void Count(size_t bytes);

  const std::shared_ptr<WaitingChanges> all_;
  std::map<TableIdent, Writer> writers_;  // one for each table: that of its last statement
  std::vector<Change> statement_;         // the changes of the present one
  size_t statement_bytes_ = 0;
  std::map<TableIdent, Table> tables_;
  size_t rows_ = 0;
  size_t bytes_ = 0;  // the cells that all statements write, and the rules' parameters
};

}  // namespace vaquita::sql

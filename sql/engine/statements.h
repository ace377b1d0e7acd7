// sql/engine/statements.h: makes prepared statements of parsed ones.
//
// Threads: one at a time.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "sql/catalog/catalog.h"
#include "sql/engine/pending_changes.h"
#include "sql/engine/query.h"
#include "sql/engine/session.h"
#include "sql/front/ast.h"

namespace vaquita::sql {

// All statements of a session share this.
struct SessionState {
  std::shared_ptr<client::Connection> connection;
  std::shared_ptr<const QueryLimits> limits;
  Catalog catalog;
  PendingChanges changes;
  bool auto_commit = true;

  // Ends a statement that changed rows: commits, or checks that no more wait than may. On an error all is dropped.
  absl::Status StatementDone(const absl::Status& status);
  TableFinder Finder();
  QuerySource Source() const { return {connection, limits}; }
};

// `state` outlives the statements.
absl::StatusOr<std::unique_ptr<PreparedStatement>> PrepareSelect(SessionState* state, Statement statement);
absl::StatusOr<std::unique_ptr<PreparedStatement>> PrepareUpsert(SessionState* state, Statement statement);
absl::StatusOr<std::unique_ptr<PreparedStatement>> PrepareDelete(SessionState* state, Statement statement);
absl::StatusOr<std::unique_ptr<PreparedStatement>> PrepareDefinition(SessionState* state, Statement statement);

// A statement without rows: a base for those that change something.
class ChangeStatement : public PreparedStatement {
 public:
  bool is_query() const override { return false; }
  const std::vector<OutputColumn>& columns() const override { return columns_; }
  const std::vector<SqlType>& parameters() const override { return parameters_; }
  absl::StatusOr<std::optional<std::vector<Value>>> Next() override { return std::nullopt; }
  int64_t rows_read() const override { return 0; }

 protected:
  std::vector<OutputColumn> columns_;
  std::vector<SqlType> parameters_;
};

// Returns the types, VARCHAR for a parameter that nothing says the type of.
std::vector<SqlType> ParameterTypes(const Resolver& resolver);
// Returns an error unless there is a value for each parameter.
absl::Status CheckParameters(size_t parameters, size_t values);
// Returns an error if Vaquita must not write the table.
absl::Status CheckWritable(const TableDef& table);

}  // namespace vaquita::sql

// sql/engine/session.h: prepares one user's statements and keeps their changes until the commit.
//
// Threads: one at a time. Source: PhoenixConnection, MutationState (5.2).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "client/connection.h"
#include "sql/catalog/table_def.h"
#include "sql/encoding/value.h"
#include "sql/engine/query_limits.h"
#include "sql/engine/session_state.h"
#include "sql/plan/resolver.h"

namespace vaquita::sql {

// A statement that can run again and again, with other parameters.
class PreparedStatement {
 public:
  virtual ~PreparedStatement() = default;
  virtual bool is_query() const = 0;
  // Returns the columns of a query's rows.
  virtual const std::vector<OutputColumn>& columns() const = 0;
  virtual const std::vector<SqlType>& parameters() const = 0;

  // Runs the statement. `values` has a value for each parameter, in the parameter's type. Returns the number of changed
  // rows. A query returns 0; Next() returns its rows.
  virtual absl::StatusOr<int64_t> Execute(std::span<const Value> values) = 0;
  // Returns a query's next row, nullopt at the end.
  virtual absl::StatusOr<std::optional<std::vector<Value>>> Next() = 0;
  // Returns how many rows of tables have been read so far.
  virtual int64_t rows_read() const = 0;
  // Returns how many cells the rows had that regions have sent.
  virtual int64_t cells_read() const { return 0; }
  // Returns how many rows, or parts of aggregates, regions have sent.
  virtual int64_t rows_shipped() const { return rows_read(); }

  // Returns the tables by whose definitions it runs, but for one at which the commit looks. Some may be null.
  virtual std::vector<TablePtr> tables() const { return {}; }

  // Returns the memory that the statement takes, about: its text and tree, and what the engine has for it now.
  int64_t memory_bytes() const { return own_bytes_ + engine_bytes(); }
  void set_own_bytes(int64_t bytes) { own_bytes_ = bytes; }

 protected:
  virtual int64_t engine_bytes() const { return 0; }

 private:
  int64_t own_bytes_ = 0;
};

class Session {
 public:
  // Its queries have these limits. Sessions of a process share `sequences`, so that they share reserved values, and
  // `threads`.
  Session(std::shared_ptr<client::Connection> connection, std::shared_ptr<const QueryLimits> limits,
          std::shared_ptr<Sequences> sequences, QueryThreads threads = QueryThreads::OfMachine())
      : state_(std::move(connection), std::move(limits), std::move(sequences), std::move(threads)) {}
  // A session alone in its process.
  explicit Session(const std::shared_ptr<client::Connection>& connection)
      : Session(connection, std::make_shared<QueryLimits>(), std::make_shared<Sequences>(connection)) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() = default;  // drops changes that were not committed

  // The statement must not outlive the session. It runs by the definitions that its tables have then; its columns and
  // parameters may change with them.
  absl::StatusOr<std::unique_ptr<PreparedStatement>> Prepare(std::string_view text);
  absl::Status Commit() { return state_.changes.Write(state_.connection).status(); }
  void Rollback() { state_.changes.Clear(); }
  // Sets whether every statement commits. It does by default.
  void SetAutoCommit(bool on) { state_.auto_commit = on; }

 private:
  SessionState state_;
};

}  // namespace vaquita::sql

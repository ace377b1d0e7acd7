// sql/engine/session.h: one user's connection: statements, and changes that wait for their commit.
//
// Threads: one at a time. Source: PhoenixConnection, MutationState (5.2).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "client/connection.h"
#include "sql/encoding/value.h"
#include "sql/engine/query_limits.h"
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

  // Runs it. `values`: of all parameters, in their types. Returns the number of rows changed; 0 for a query, whose rows
  // Next() gives.
  virtual absl::StatusOr<int64_t> Execute(std::span<const Value> values) = 0;
  // Returns a query's next row, nullopt at the end.
  virtual absl::StatusOr<std::optional<std::vector<Value>>> Next() = 0;
  // Returns how many rows of tables have been read so far.
  virtual int64_t rows_read() const = 0;
};

class Session {
 public:
  // The most rows that may wait for a commit, as in Phoenix (phoenix.mutate.maxSize).
  static constexpr size_t kMostPendingRows = 500'000;

  // `limits` are those of its queries.
  static std::unique_ptr<Session> Create(std::shared_ptr<client::Connection> connection,
                                         std::shared_ptr<const QueryLimits> limits = std::make_shared<QueryLimits>());
  virtual ~Session() = default;  // drops what was not committed

  // The statement must not outlive the session.
  virtual absl::StatusOr<std::unique_ptr<PreparedStatement>> Prepare(std::string_view text) = 0;
  virtual absl::Status Commit() = 0;
  virtual void Rollback() = 0;
  // With it, which is the default, every statement commits.
  virtual void SetAutoCommit(bool on) = 0;
};

}  // namespace vaquita::sql

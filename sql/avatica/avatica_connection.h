// sql/avatica/avatica_connection.h: a driver's connection: its session, its statements and their results.
//
// Threads: one at a time. Source: JdbcMeta (Avatica 1.26), PhoenixStatement (Phoenix 5.2).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "avatica/avatica.pb.h"
#include "client/connection.h"
#include "sql/avatica/result_rows.h"
#include "sql/avatica/statement_cache.h"
#include "sql/engine/session.h"

namespace vaquita::sql {

class AvaticaConnection {
 public:
  // If a driver makes more statements, the least recently used one is dropped. The driver then makes it anew.
  static constexpr size_t kMostStatements = 1000;

  struct Statement {
    std::string text;
    std::unique_ptr<PreparedStatement> prepared;  // null: nothing has run yet
    int64_t most_rows = -1;                       // the most rows of a query; below 0: all
    std::optional<ResultRows> result;
    uint64_t used = 0;
    uint64_t counted = 0;  // its last use in the cache; 0: it is not there
  };

  AvaticaConnection(std::shared_ptr<client::Connection> connection, std::shared_ptr<const QueryLimits> limits,
                    std::shared_ptr<Sequences> sequences, QueryThreads threads,
                    std::shared_ptr<StatementCache> statements)
      : session_(std::move(connection), std::move(limits), std::move(sequences), std::move(threads)),
        cache_(std::move(statements)) {
    session_.SetAutoCommit(false);
  }
  AvaticaConnection(const AvaticaConnection&) = delete;
  AvaticaConnection& operator=(const AvaticaConnection&) = delete;
  ~AvaticaConnection();

  // Applies the properties that the driver sets, and returns all.
  avatica::ConnectionProperties Sync(const avatica::ConnectionProperties& wanted);

  // Adds a statement, which counts as used now. REQUIRES: no statement has this id.
  Statement* AddStatement(uint32_t id) { return AddStatement(id, Statement()); }
  Statement* AddStatement(uint32_t id, Statement statement);
  Statement* FindStatement(uint32_t id);  // null if it does not exist
  void RemoveStatement(uint32_t id);
  // Removes the statement if the cache has no later use of it.
  void RemoveStatement(uint32_t id, uint64_t counted);
  // Counts the memory of the statement that was used last. `owner` is the cache's name for this connection.
  void CountUse(const std::weak_ptr<StatementCache::Owner>& owner);

  // Prepares `text` as the statement's.
  absl::Status Prepare(const std::string& text, Statement* statement);
  // Runs the prepared statement. Returns the number of changed rows; a query's rows are in `statement->result`.
  absl::StatusOr<int64_t> Execute(std::span<const Value> values, Statement* statement);
  // While it lives, changes wait. End commits them if the connection commits by itself, also those before an error. If
  // an exception passes, nobody calls End: such a connection drops them, and commits by itself again.
  class Batch {
   public:
    explicit Batch(AvaticaConnection* connection) : connection_(*connection) {
      connection_.session_.SetAutoCommit(false);
    }
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;
    ~Batch();
    absl::Status End();

   private:
    AvaticaConnection& connection_;
    bool ended_ = false;
  };
  // Runs a statement of a batch, which changes rows, and returns how many it changed.
  absl::StatusOr<int64_t> ExecuteInBatch(std::span<const Value> values, Statement* statement);
  absl::Status Commit() { return session_.Commit(); }
  void Rollback() { session_.Rollback(); }
  // Drops all plans, results and uncommitted changes. Statements keep their ids; the driver prepares them anew.
  void Forget();

 private:
  Session session_;
  avatica::ConnectionProperties properties_;
  std::map<uint32_t, Statement> statements_;  // none outlives session_
  const std::shared_ptr<StatementCache> cache_;
  uint32_t last_ = 0;  // the statement that was used last
  uint64_t uses_ = 0;
};

}  // namespace vaquita::sql

// sql/avatica/open_connection.h: a driver's connection as the requests of many threads see it.
//
// Requests of one connection run one after the other. One that closes it, or a statement of it, ends what runs.
// Threads: any, but for what a class says.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "client/connection.h"
#include "sql/avatica/avatica_connection.h"
#include "sql/avatica/service.h"
#include "sql/avatica/statement_cache.h"
#include "sql/catalog/sequences.h"
#include "sql/engine/part_reader.h"
#include "sql/engine/query_limits.h"

namespace vaquita::sql {

class OpenConnection : public StatementCache::Owner, public std::enable_shared_from_this<OpenConnection> {
 public:
  OpenConnection(std::shared_ptr<client::Connection> cluster, std::shared_ptr<QueryLimits> limits,
                 std::shared_ptr<Sequences> sequences, QueryThreads threads, std::shared_ptr<StatementCache> statements)
      : limits_(std::move(limits)),
        connection_(std::move(cluster), limits_, std::move(sequences), std::move(threads), std::move(statements)) {}

  void Drop(uint32_t statement, uint64_t use) override;

  // Returns a request's turn; null if another one has it: `again` gets it when those that came before are done.
  Turn TakeTurn(const std::function<void(Turn)>& again);

  // Ends all queries, now and later.
  void Interrupt() { limits_->interrupted = true; }
  // Ends the statement if it runs, or if the request that has its turn begins it.
  void Cancel(uint32_t statement);
  // Ends whatever runs, and all that waits for its turn.
  void Close();

  // The time of the last request; the service's mutex guards it.
  int64_t used_ms = 0;

 private:
  friend class UsedConnection;

  Turn MakeTurn();
  void EndTurn();
  // A statement runs from Begin to End: its number, or none. Returns false if the connection was closed.
  bool Begin(std::optional<uint32_t> statement);
  void End();

  const std::shared_ptr<QueryLimits> limits_;
  std::mutex mutex_;  // for these two
  AvaticaConnection connection_;
  int64_t life_ = 0;  // the service's at the last use
  std::mutex running_mutex_;
  std::optional<uint32_t> running_;
  std::optional<uint32_t> ended_ahead_;  // a statement that the request with the turn shall not run
  bool closed_ = false;
  bool taken_ = false;                             // a request has its turn
  std::deque<std::function<void(Turn)>> waiting_;  // requests, for their turn
};

// A connection that is in use: nobody else has it. Threads: one.
class UsedConnection {
 public:
  using Statement = AvaticaConnection::Statement;

  // Waits until nobody uses the connection. `statement` is the one that runs. Each use in another `life` of the service
  // than the one before finds plans, results and changes forgotten.
  UsedConnection(std::shared_ptr<OpenConnection> connection, int64_t life, std::optional<uint32_t> statement);
  UsedConnection(UsedConnection&&) = default;
  ~UsedConnection();

  // Returns false if the connection was closed meanwhile.
  bool is_open() const { return is_open_; }
  // The statement, if it is a query, ends when the client has gone.
  void RunFor(const ClientGone& gone, const Statement& statement);
  AvaticaConnection* operator->() const { return &connection_->connection_; }

 private:
  std::shared_ptr<OpenConnection> connection_;
  std::unique_lock<std::mutex> lock_;
  bool is_open_;
};

}  // namespace vaquita::sql

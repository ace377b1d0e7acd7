// sql/avatica/service.h: answers the requests of Phoenix's drivers; the network is its caller's.
//
// A driver opens a connection under an id of its choice, and makes statements in it. The service forgets a connection
// that was not used for ten minutes, and the least recently used one if there are too many. A driver that uses it again
// gets an error, and opens it anew. Threads: any; requests of one connection run one after the other.
// Source: LocalService, JdbcMeta, AbstractHandler (Avatica 1.26).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "client/connection.h"
#include "proto/wire/parts_budget.h"
#include "sql/avatica/statement_cache.h"
#include "sql/engine/query_limits.h"

namespace vaquita::sql {

struct ServiceOptions {
  // Opens the connection to the cluster. It is called at the first use, and again after a failure.
  std::function<absl::StatusOr<std::shared_ptr<client::Connection>>()> connect;
  Clock* clock = Clock::System();
  std::string server_address;  // answers carry it
  size_t most_connections = 1000;
  int64_t lease_ms = 600'000;
  // Bounds the memory of statements. Services may share it.
  std::shared_ptr<StatementCache> statements = std::make_shared<StatementCache>();
  // Bounds the changes that wait for a commit, in the same way.
  std::shared_ptr<WaitingChanges> waiting = std::make_shared<WaitingChanges>();
  // Bounds the memory of the parts of running requests, in the same way. One request may take half of it.
  std::shared_ptr<PartsBudget> parts = std::make_shared<PartsBudget>(int64_t{1} << 30);
  int64_t query_ms = 600'000;  // phoenix.query.timeoutMs: the longest time that a query may take
};

struct ServiceAnswer {
  bool ok = true;
  std::string body;    // a WireMessage, with an ErrorResponse if not `ok`
  bool waits = false;  // there is no answer yet
};

// Becomes true when a request's client has gone; null: the client stays.
using ClientGone = std::shared_ptr<const std::atomic<bool>>;

// A request's turn at its connection, which ends with this; null: it has none yet.
using Turn = std::shared_ptr<void>;

class Service {
 public:
  static std::unique_ptr<Service> Create(ServiceOptions options);
  virtual ~Service() = default;  // drops changes that were not committed

  // Takes a WireMessage's bytes and returns the answer. May take as long as its statement. A query ends when
  // its client has gone; a statement that changes rows does not.
  //
  // Without `again` the call waits until the request's connection is free. With it, the answer says that the request
  // waits, and `again` gets its turn later: the caller shall ask anew with that turn, but not within that call.
  virtual ServiceAnswer Handle(std::string_view body, const ClientGone& gone = nullptr,
                               const std::function<void(Turn)>& again = nullptr, Turn turn = nullptr) = 0;
  // Returns whether the request closes a connection or statement, and so may end a long query: it must not wait for
  // the threads that run queries.
  static bool IsClose(std::string_view body);
  // Ends all running queries and all later ones.
  virtual void Interrupt() = 0;
  // Drops every connection's plans, results and uncommitted changes before its next request; connections and the
  // numbers of statements stay. For a cluster whose tables are others all at once.
  virtual void Forget() = 0;
  // Forgets the connections whose lease is over. Every request does so, too, but what connections keep counts for all
  // services that share the bounds, and a user may not come again.
  virtual void DropIdle() = 0;
  virtual size_t connections() const = 0;
};

}  // namespace vaquita::sql

// sql/engine/session_state.h: the state that all statements of a session share.
//
// Threads: one at a time.
#pragma once

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "client/connection.h"
#include "sql/catalog/catalog.h"
#include "sql/catalog/sequences.h"
#include "sql/engine/pending_changes.h"
#include "sql/engine/query.h"
#include "sql/engine/query_limits.h"
#include "sql/plan/resolver.h"

namespace vaquita::sql {

struct SessionState {
  SessionState(std::shared_ptr<client::Connection> connection_in, std::shared_ptr<const QueryLimits> limits_in,
               std::shared_ptr<Sequences> sequences_in, QueryThreads threads_in)
      : connection(std::move(connection_in)),
        limits(std::move(limits_in)),
        sequences(std::move(sequences_in)),
        threads(std::move(threads_in)),
        catalog(connection),
        changes(limits->waiting) {}

  // Ends a statement that changed `rows`: commits, or checks that not too many rows wait; if so, all are dropped. The
  // changes of a statement that failed are dropped alone.
  // Returns how many rows were changed, as far as that is known: before a commit, all count.
  absl::StatusOr<int64_t> EndStatement(const absl::StatusOr<int64_t>& rows);
  TableFinder Finder();
  QuerySource Source() const { return {connection, limits, sequences, threads}; }

  std::shared_ptr<client::Connection> connection;
  std::shared_ptr<const QueryLimits> limits;
  std::shared_ptr<Sequences> sequences;
  QueryThreads threads;
  Catalog catalog;
  PendingChanges changes;
  bool auto_commit = true;
};

}  // namespace vaquita::sql

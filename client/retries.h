// client/retries.h: decides when a failed attempt is repeated, and after which pause.
//
// If the answer to an increment, an append or a check-and-mutate was lost, it is repeated if the server recognizes it
// by its nonce: over gRPC always, over HBase's RPC only increments and appends. Otherwise the caller gets the error.
// Source: HConstants.RETRY_BACKOFF, ConnectionUtils.getPauseTime, RpcRetryingCallerImpl (2.6). Threads: one at a time.
#pragma once

#include <cstdint>

#include "client/connection.h"
#include "client/server_link.h"
#include "model/operations.h"

namespace vaquita::client {

// Tells whether a request may be executed twice.
enum class Repeatable {
  kYes,           // once or twice is the same
  kOnlyIfNotRun,  // it may be repeated if it was certainly not executed
};

Repeatable RepeatableOf(const Action& action, bool server_knows_repeats);

// Returns the pause after attempt number `attempt` (from 0), without jitter.
int64_t BackoffMs(int64_t pause_ms, int attempt);

// The attempts of one operation.
class Retries {
 public:
  explicit Retries(const ConnectionOptions& options);

  // Returns the deadline of the next attempt: hbase.rpc.timeout, within the operation's own time.
  TimePoint AttemptDeadline() const;
  TimePoint OperationDeadline() const { return deadline_; }

  // Returns whether to try again: the error may be temporary, and attempts and time are left.
  bool MayRepeat(const CallOutcome& failed, Repeatable repeatable) const;
  // Sleeps before the next attempt, after one that ended with `error`. ConnectionOptions::given_up wakes it.
  void Pause(const absl::Status& error);
  // Calls MayRepeat, and Pause if that returns true. Returns whether to try again now.
  bool Again(const CallOutcome& failed, Repeatable repeatable);
  // Asks ConnectionOptions::given_up.
  bool GivenUp() const;
  // Notes a success: attempts and time count from now on.
  void Restart();
  // Notes that a part of the operation has succeeded: attempts count from now on, and the time goes on.
  void NoteProgress() { failed_attempts_ = 0; }

 private:
  const ConnectionOptions& options_;
  int failed_attempts_ = 0;
  bool has_told_ = false;  // that it waits
  TimePoint start_;
  TimePoint deadline_;
};

}  // namespace vaquita::client

// client/retries.h: when a failed attempt is repeated, and after what pause.
//
// An increment, append or condition with its mutations whose answer was lost is repeated if the server knows it again
// by its nonce: over gRPC any, over HBase's RPC an Increment or Append. Else the caller gets the error.
// Source: HConstants.RETRY_BACKOFF, ConnectionUtils.getPauseTime, RpcRetryingCallerImpl (2.6).
// Threads: one at a time.
#pragma once

#include <cstdint>

#include "client/connection.h"
#include "client/server_link.h"
#include "model/operations.h"

namespace vaquita::client {

// Whether a request may be executed twice.
enum class Repeatable {
  kYes,           // once or twice is the same
  kOnlyIfNotRun,  // it may be repeated if it certainly was not executed
};

Repeatable RepeatableOf(const Action& action, bool server_knows_repeats);

// The pause after attempt number `attempt` (from 0), without jitter.
int64_t BackoffMs(int64_t pause_ms, int attempt);

// The attempts of one operation.
class Retries {
 public:
  explicit Retries(const ConnectionOptions& options);

  // Until when the next attempt may take: hbase.rpc.timeout, within the operation's own time.
  TimePoint AttemptDeadline() const;
  TimePoint OperationDeadline() const { return deadline_; }

  // Whether another attempt is worth it: the error is one that may pass, attempts are left, and time for the pause.
  bool MayRepeat(const CallOutcome& failed, Repeatable repeatable) const;
  // Sleeps before the next attempt.
  void Pause();
  // MayRepeat, and then Pause.
  bool Again(const CallOutcome& failed, Repeatable repeatable);
  // Something succeeded: attempts and time are counted from here on.
  void Restart();

 private:
  const ConnectionOptions& options_;
  int failed_attempts_ = 0;
  TimePoint deadline_;
};

}  // namespace vaquita::client

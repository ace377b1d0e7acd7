// server/operation_nonces.h: the increments and appends that were done, by their nonces, so that a client that had no
// answer can send one again.
//
// A nonce is known for half an hour at least, and an hour at most, after its operation. Only successes are remembered:
// what failed may be tried again. Of a nonce 8 bytes are kept, a digest; two digests meet once in many billions of
// years. Nonces are not in the log: after a restart they are unknown, as in HBase those of flushed edits are. Threads:
// any; an operation waits while one with its nonce runs. Source: ServerNonceManager (2.6).
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "absl/container/flat_hash_set.h"
#include "engine/clock.h"
#include "server/nonce.h"

namespace vaquita {

class OperationNonces {
 public:
  explicit OperationNonces(Clock* clock);  // outlives it

  // An operation's run, from Begin to destruction.
  class Run {
   public:
    Run(OperationNonces* owner, uint64_t digest, bool done_before)
        : owner_(owner), digest_(digest), done_before_(done_before) {}
    Run(const Run&) = delete;
    ~Run();
    bool done_before() const { return done_before_; }  // then the operation must not be done again
    void Succeed() { succeeded_ = true; }

   private:
    OperationNonces* const owner_;
    const uint64_t digest_;
    const bool done_before_;
    bool succeeded_ = false;
  };
  // REQUIRES: nonce.value is not 0.
  Run Begin(const Nonce& nonce);
  size_t size() const;

 private:
  void End(uint64_t digest, bool succeeded);
  void ForgetOld();  // under mutex_

  Clock* const clock_;
  mutable std::mutex mutex_;
  std::condition_variable ended_;
  absl::flat_hash_set<uint64_t> running_;
  // Those of the current half hour and of the one before.
  absl::flat_hash_set<uint64_t> recent_;
  absl::flat_hash_set<uint64_t> older_;
  int64_t recent_since_ms_;
};

}  // namespace vaquita

// server/regionserver/operation_nonces.h: remembers increments and appends by their nonces, so that a client can repeat
// one whose answer was lost.
//
// A nonce is known for half an hour at least, and an hour at most, after its operation, unless there are too many. Only
// successes are remembered, because failed operations may be tried again. A nonce takes 20 to 40 bytes: a digest, which
// collides once in many billions of years, and the time of the operation's cells, for the answer to the second request.
// The store of nonces (engine/nonce_store.h) knows the operations that are forgotten here, and those from before a
// region was opened here. Threads: any; an operation waits while one with its nonce runs. Source: ServerNonceManager
// (2.6), which has no bound.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "base/clock.h"
#include "model/nonce.h"

namespace vaquita {

class OperationNonces {
 public:
  // `clock` outlives it. It keeps 2 * `most` nonces at most, the newest ones.
  explicit OperationNonces(Clock* clock, size_t most = kMost);
  static constexpr size_t kMost = 900'000;  // 36 MB for twice as many

  // An operation's run, from Begin to destruction.
  class Run {
   public:
    enum class Place { kFirst, kDoneBefore, kUnknown };
    Run(OperationNonces* owner, uint64_t digest, Place place, std::optional<int64_t> written_ms = std::nullopt,
        bool may_be_forgotten = false)
        : owner_(owner), digest_(digest), place_(place), may_be_forgotten_(may_be_forgotten), written_ms_(written_ms) {}
    Run(const Run&) = delete;
    ~Run();
    bool done_before() const { return place_ == Place::kDoneBefore; }
    bool has_succeeded() const { return written_ms_.has_value(); }  // if true, it must not be done again
    // Returns whether another request with this nonce runs and the caller asked for short waits (base/call_context.h).
    bool would_wait() const { return place_ == Place::kUnknown; }
    // Returns whether the operation may have been done in the last half hour, and is forgotten here.
    bool may_be_forgotten() const { return may_be_forgotten_; }
    // Returns the newest timestamp of the operation. REQUIRES: has_succeeded().
    int64_t written_ms() const { return *written_ms_; }
    void Succeed(int64_t written_ms) { written_ms_ = written_ms; }

   private:
    OperationNonces* const owner_;
    const uint64_t digest_;
    const Place place_;
    const bool may_be_forgotten_;
    std::optional<int64_t> written_ms_;
  };
  // REQUIRES: nonce.value is not 0.
  Run Begin(const Nonce& nonce, bool short_waits = false);
  size_t size() const;

 private:
  using Written = absl::flat_hash_map<uint64_t, int64_t>;  // when, by digest

  void End(uint64_t digest, std::optional<int64_t> written_ms);
  std::optional<int64_t> WrittenMs(uint64_t digest) const;  // under mutex_
  void ForgetOld();                                         // under mutex_

  Clock* const clock_;
  const size_t most_;
  mutable std::mutex mutex_;
  std::condition_variable ended_;
  absl::flat_hash_set<uint64_t> running_;
  // The nonces of the present half hour and of the one before, or the newest ones.
  Written recent_;
  Written older_;
  int64_t recent_since_ms_;
  int64_t whole_from_ms_ = 0;  // until then, nonces of the last half hour may be forgotten
};

}  // namespace vaquita

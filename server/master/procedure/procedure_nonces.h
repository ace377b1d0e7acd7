// server/master/procedure/procedure_nonces.h: remembers which requests started which procedures, so that a repeated
// request starts no new one.
//
// A client names each request with a pair of numbers. A request that comes while its twin is being started waits for
// it. The nonce of a procedure is kept as long as its outcome. A refusal is remembered, too, unless a repetition may
// succeed; these are bound by number and time as outcomes are. Threads: any.
// Source: NonceKey, ProcedureExecutor.registerNonce, MasterProcedureUtil.submitProcedure (2.6).
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/status.h"
#include "model/nonce.h"

namespace vaquita {

class ProcedureNonces {
 public:
  using Submit = std::function<absl::StatusOr<int64_t>()>;

  // `clock` outlives it. `is_kept` returns whether the outcome of a procedure is wanted or still kept.
  ProcedureNonces(Clock* clock, std::function<bool(int64_t id)> is_kept)
      : clock_(clock), is_kept_(std::move(is_kept)) {}

  // Returns the answer of `submit`, or its answer to the first request with this nonce. Without a nonce `submit` always
  // runs.
  absl::StatusOr<int64_t> SubmitOnce(const Nonce& nonce, const Submit& submit);
  // Returns the nonce of the request for which `submit` runs in this thread, or none.
  static Nonce Submitting() { return submitting_; }
  // Adds the answer to a request of an earlier life of this master.
  void Know(const Nonce& nonce, int64_t id);

 private:
  struct Request {
    bool answered = false;
    absl::StatusOr<int64_t> answer = Error(ErrorKind::kIO, "an exception ended the request");
    int64_t at_ms = 0;
  };
  // Under mutex_:
  std::shared_ptr<Request> Add(const Nonce& nonce);
  bool IsNeeded(const Request& request) const;
  void Forget(const Nonce& nonce, const std::shared_ptr<Request>& request);
  void ForgetOld();

  static inline thread_local Nonce submitting_;

  Clock* const clock_;
  const std::function<bool(int64_t)> is_kept_;
  std::mutex mutex_;
  std::condition_variable answered_;
  std::map<Nonce, std::shared_ptr<Request>> requests_;
  std::deque<std::pair<Nonce, std::shared_ptr<Request>>> in_order_;  // also those that another replaced
};

}  // namespace vaquita

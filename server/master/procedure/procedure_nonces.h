// server/master/procedure/procedure_nonces.h: remembers which requests started which procedures, so that a repeated
// request starts no new one.
//
// A client names each request with a pair of numbers. A request that comes while its twin is being started waits for
// it. Refusals are remembered too. A nonce is kept as long as a procedure's outcome. Threads: any.
// Source: NonceKey, ProcedureExecutor.registerNonce, MasterProcedureUtil.submitProcedure (2.6).
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "model/nonce.h"

namespace vaquita {

class ProcedureNonces {
 public:
  using Submit = std::function<absl::StatusOr<int64_t>()>;

  explicit ProcedureNonces(Clock* clock) : clock_(clock) {}  // `clock` outlives it

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
    absl::StatusOr<int64_t> answer;
    int64_t at_ms = 0;
  };
  std::shared_ptr<Request> Add(const Nonce& nonce);  // under mutex_
  void ForgetOld();                                  // under mutex_

  static inline thread_local Nonce submitting_;

  Clock* const clock_;
  std::mutex mutex_;
  std::condition_variable answered_;
  std::map<Nonce, std::shared_ptr<Request>> requests_;
  std::deque<Nonce> in_order_;
};

}  // namespace vaquita

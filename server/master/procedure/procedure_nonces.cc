#include "server/master/procedure/procedure_nonces.h"

#include <utility>

#include "absl/cleanup/cleanup.h"
#include "base/status.h"
#include "server/master/procedure/procedure_executor.h"

namespace vaquita {

absl::StatusOr<int64_t> ProcedureNonces::SubmitOnce(const Nonce& nonce, const Submit& submit) {
  if (nonce.value == 0) return submit();  // HConstants.NO_NONCE
  std::shared_ptr<Request> request;
  {
    std::unique_lock lock(mutex_);
    if (const auto it = requests_.find(nonce); it != requests_.end()) {
      request = it->second;
      answered_.wait(lock, [&] { return request->answered; });
      return request->answer;
    }
    ForgetOld();
    request = Add(nonce);
  }
  submitting_ = nonce;
  const absl::Cleanup answer = [&] {  // also if `submit` throws, for the twins that wait
    submitting_ = Nonce();
    std::lock_guard lock(mutex_);
    request->answered = true;
    if (!request->answer.ok() && IsRetryable(request->answer.status())) Forget(nonce, request);
    answered_.notify_all();
  };
  return request->answer = submit();
}

void ProcedureNonces::Know(const Nonce& nonce, int64_t id) {
  std::lock_guard lock(mutex_);
  const std::shared_ptr<Request> request = Add(nonce);
  request->answer = id;
  request->answered = true;
}

std::shared_ptr<ProcedureNonces::Request> ProcedureNonces::Add(const Nonce& nonce) {
  auto request = std::make_shared<Request>();
  request->at_ms = clock_->NowMs();
  requests_[nonce] = request;
  in_order_.emplace_back(nonce, request);
  return request;
}

bool ProcedureNonces::IsNeeded(const Request& request) const {
  if (!request.answered) return true;
  if (request.answer.ok()) return is_kept_(*request.answer);
  return clock_->NowMs() - request.at_ms <= ProcedureExecutor::kKeepResultMs &&
         in_order_.size() <= ProcedureExecutor::kKeepResults;
}

void ProcedureNonces::Forget(const Nonce& nonce, const std::shared_ptr<Request>& request) {
  const auto it = requests_.find(nonce);
  if (it != requests_.end() && it->second == request) requests_.erase(it);
}

// One request comes and two are looked at, so a short walk ends with all that are needed, in whatever order they end.
void ProcedureNonces::ForgetOld() {
  for (int i = 0; i < 2 && !in_order_.empty(); ++i) {
    auto oldest = std::move(in_order_.front());
    in_order_.pop_front();
    if (IsNeeded(*oldest.second)) {
      in_order_.push_back(std::move(oldest));
    } else {
      Forget(oldest.first, oldest.second);
    }
  }
}

}  // namespace vaquita

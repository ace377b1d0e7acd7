#include "server/master/procedure/procedure_nonces.h"

#include <utility>

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
  absl::StatusOr<int64_t> answer = submit();
  submitting_ = Nonce();
  std::lock_guard lock(mutex_);
  request->answer = answer;
  request->answered = true;
  answered_.notify_all();
  return answer;
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
  in_order_.push_back(nonce);
  return request;
}

void ProcedureNonces::ForgetOld() {
  const int64_t now_ms = clock_->NowMs();
  while (!in_order_.empty()) {
    const auto oldest = requests_.find(in_order_.front());
    if (!oldest->second->answered) break;
    const bool old = now_ms - oldest->second->at_ms > ProcedureExecutor::kKeepResultMs;
    if (!old && requests_.size() <= ProcedureExecutor::kKeepResults) break;
    requests_.erase(oldest);
    in_order_.pop_front();
  }
}

}  // namespace vaquita

#include "server/regionserver/operation_nonces.h"

#include <algorithm>
#include <utility>

#include "absl/hash/hash.h"
#include "base/call_context.h"

namespace vaquita {

OperationNonces::OperationNonces(Clock* clock, size_t most)
    : clock_(clock), most_(most), recent_since_ms_(clock->NowMs()) {}

OperationNonces::Run OperationNonces::Begin(const Nonce& nonce, bool short_waits) {
  const uint64_t digest = absl::HashOf(nonce.group, nonce.value);
  std::unique_lock lock(mutex_);
  const auto ended = [&] { return !running_.contains(digest); };
  if (!short_waits) {
    ended_.wait(lock, ended);
  } else if (!ended_.wait_for(lock, kShortWait, ended)) {
    return Run(this, digest, Run::Place::kUnknown);
  }
  ForgetOld();
  const std::optional<int64_t> written_ms = WrittenMs(digest);
  if (written_ms.has_value()) return Run(this, digest, Run::Place::kDoneBefore, written_ms);
  running_.insert(digest);
  return Run(this, digest, Run::Place::kFirst, std::nullopt, clock_->NowMs() < whole_from_ms_);
}

std::optional<int64_t> OperationNonces::WrittenMs(uint64_t digest) const {
  for (const Written* written : {&recent_, &older_}) {
    if (const auto it = written->find(digest); it != written->end()) return it->second;
  }
  return std::nullopt;
}

OperationNonces::Run::~Run() {
  if (place_ == Place::kFirst) owner_->End(digest_, written_ms_);
}

void OperationNonces::End(uint64_t digest, std::optional<int64_t> written_ms) {
  std::lock_guard lock(mutex_);
  running_.erase(digest);
  if (written_ms.has_value()) recent_.emplace(digest, *written_ms);
  ended_.notify_all();
}

void OperationNonces::ForgetOld() {
  const int64_t now_ms = clock_->NowMs();
  // If the clock was set back, the half hour begins again: no nonce is forgotten too early, or never.
  recent_since_ms_ = std::min(recent_since_ms_, now_ms);
  const bool too_many = recent_.size() >= most_;
  if (now_ms - recent_since_ms_ < kNonceMs && !too_many) return;
  if (too_many && !older_.empty()) whole_from_ms_ = now_ms + kNonceMs;
  older_ = std::exchange(recent_, {});
  // A clock that leapt over both half hours.
  if (now_ms - recent_since_ms_ >= 2 * kNonceMs) older_.clear();
  recent_since_ms_ = now_ms;
}

size_t OperationNonces::size() const {
  std::lock_guard lock(mutex_);
  return recent_.size() + older_.size();
}

}  // namespace vaquita

#include "server/operation_nonces.h"

#include <utility>

#include "absl/hash/hash.h"

namespace vaquita {
namespace {

constexpr int64_t kRememberMs = 30 * 60 * 1000;  // hbase.regionserver.hashNonceGracePeriod

}  // namespace

OperationNonces::OperationNonces(Clock* clock) : clock_(clock), recent_since_ms_(clock->NowMs()) {}

OperationNonces::Run OperationNonces::Begin(const Nonce& nonce) {
  const uint64_t digest = absl::HashOf(nonce.group, nonce.value);
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [&] { return !running_.contains(digest); });
  ForgetOld();
  const bool done_before = recent_.contains(digest) || older_.contains(digest);
  if (!done_before) running_.insert(digest);
  return Run(this, digest, done_before);
}

OperationNonces::Run::~Run() {
  if (!done_before_) owner_->End(digest_, succeeded_);
}

void OperationNonces::End(uint64_t digest, bool succeeded) {
  std::lock_guard lock(mutex_);
  running_.erase(digest);
  if (succeeded) recent_.insert(digest);
  ended_.notify_all();
}

void OperationNonces::ForgetOld() {
  const int64_t now_ms = clock_->NowMs();
  if (now_ms - recent_since_ms_ < kRememberMs) return;
  older_ = std::exchange(recent_, {});
  // A clock that leapt over both half hours.
  if (now_ms - recent_since_ms_ >= 2 * kRememberMs) older_.clear();
  recent_since_ms_ = now_ms;
}

size_t OperationNonces::size() const {
  std::lock_guard lock(mutex_);
  return recent_.size() + older_.size();
}

}  // namespace vaquita

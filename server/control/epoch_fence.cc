#include "server/control/epoch_fence.h"

#include <algorithm>
#include <utility>

#include "base/status.h"

namespace vaquita {

void EpochFence::BeginEpoch(int64_t epoch) {
  std::lock_guard lock(mutex_);
  BeginEpochLocked(epoch);
}

bool EpochFence::HasOlderRunning() const {
  std::lock_guard lock(mutex_);
  return older_running_ > 0;
}

void EpochFence::BeginEpochLocked(int64_t epoch) {
  if (epoch <= epoch_) return;
  epoch_ = epoch;
  ended_below_ = 0;
  older_running_ += std::exchange(running_, 0);
  entries_.clear();
}

absl::Status EpochFence::Check(const CommandNumber& number) const {
  if (number.epoch < epoch_) {
    return absl::FailedPreconditionError("a newer master has taken over, epoch " + std::to_string(epoch_));
  }
  if (number.id < ended_below_) return absl::FailedPreconditionError("the master no longer waits for this command");
  return absl::OkStatus();
}

EpochFence::Answer EpochFence::Run(const CommandNumber& number, const std::function<Answer()>& run) {
  std::unique_lock lock(mutex_);
  BeginEpochLocked(number.epoch);
  ended_.wait(lock, [this] { return older_running_ == 0; });
  VAQUITA_RETURN_IF_ERROR(Check(number));
  ended_below_ = std::max(ended_below_, number.ended_below);
  entries_.erase(entries_.begin(), entries_.lower_bound(ended_below_));
  std::shared_ptr<Entry>& known = entries_[number.id];
  if (known != nullptr) {
    const std::shared_ptr<Entry> entry = known;
    ended_.wait(lock, [&] { return entry->ended; });
    return entry->answer;
  }
  const std::shared_ptr<Entry> entry = known = std::make_shared<Entry>();
  ++running_;
  lock.unlock();
  Answer answer = run();
  lock.lock();
  --(number.epoch == epoch_ ? running_ : older_running_);
  entry->ended = true;
  entry->answer = answer;
  ended_.notify_all();
  return answer;
}

std::atomic<int64_t> CommandNumbers::last_id_{0};

CommandNumbers::Running::Running(CommandNumbers* owner) : owner_(owner) {
  std::lock_guard lock(owner_->mutex_);
  id_ = ++last_id_;
  owner_->running_.insert(id_);
  ended_below_ = *owner_->running_.begin();
}

CommandNumbers::Running::~Running() {
  std::lock_guard lock(owner_->mutex_);
  owner_->running_.erase(id_);
}

}  // namespace vaquita

#include "region/last_writes.h"

#include "absl/hash/hash.h"

namespace vaquita {
namespace {

// A row that is incremented all the time gets further and further ahead of the clock. Beyond this limit writes do not
// wait, as in HBase.
constexpr int64_t kMostAheadMs = 2;

template <typename Slots>
auto& SlotOf(Slots& slots, std::string_view row) {
  return slots[absl::HashOf(row) % slots.size()];
}

}  // namespace

RowTimes::Slots* RowTimes::GetSlots() {
  if (Slots* slots = slots_.load(std::memory_order_acquire)) return slots;
  std::lock_guard lock(making_);
  if (slots_.load() == nullptr) slots_.store(new Slots(), std::memory_order_release);
  return slots_.load();
}

void RowTimes::Set(std::string_view row, int64_t time_ms) {
  SlotOf(*GetSlots(), row).store(time_ms, std::memory_order_relaxed);
}

bool RowTimes::IsFrom(std::string_view row, int64_t now_ms, int64_t ahead_ms) const {
  const Slots* slots = slots_.load(std::memory_order_acquire);
  if (slots == nullptr) return false;
  const int64_t time_ms = SlotOf(*slots, row).load(std::memory_order_relaxed);
  return time_ms >= now_ms && time_ms <= now_ms + ahead_ms;
}

bool LastWrites::Hide(const Mutation& mutation, std::string_view row, int64_t time_ms) const {
  if (mutation.type != MutationType::kDelete && markers_.IsFrom(row, time_ms, 0)) return true;
  return !IsDelta(mutation.type) && deltas_.IsFrom(row, time_ms, kMostAheadMs);
}

int64_t LastWrites::TimeFor(const Clock& clock, absl::FunctionRef<bool(int64_t)> hidden) const {
  int64_t now_ms = clock.NowMs();
  while (hidden(now_ms) && clock.AwaitChange(now_ms)) now_ms = clock.NowMs();
  return now_ms;
}

void LastWrites::Add(const Mutation& mutation, std::string_view row, int64_t time_ms, int64_t newest_delta_ms) {
  if (mutation.type == MutationType::kDelete) markers_.Set(row, time_ms);
  if (newest_delta_ms > time_ms) deltas_.Set(row, newest_delta_ms);
}

}  // namespace vaquita

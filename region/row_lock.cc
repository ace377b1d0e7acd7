#include "region/row_lock.h"

#include <chrono>

namespace vaquita {

std::optional<size_t> RowLocks::Lock(std::span<const std::string_view> rows, int64_t wait_ms) {
  std::unique_lock lock(mu_);
  if (rows.size() > 1) locked_.reserve(locked_.size() + rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    if (locked_.insert(rows[i]).second || WaitFor(rows[i], wait_ms, &lock)) continue;
    Release(rows.first(i));
    return i;
  }
  return std::nullopt;
}

void RowLocks::Unlock(std::span<const std::string_view> rows) {
  std::lock_guard lock(mu_);
  Release(rows);
}

void RowLocks::Release(std::span<const std::string_view> rows) {
  if (locked_.size() == rows.size()) {
    locked_.clear();  // all locks belong to this batch: one step frees them
  } else {
    for (std::string_view row : rows) locked_.erase(row);
  }
  if (waiting_ > 0) released_.notify_all();
}

bool RowLocks::WaitFor(std::string_view row, int64_t wait_ms, std::unique_lock<std::mutex>* lock) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(wait_ms);
  ++waiting_;
  const bool locked = released_.wait_until(*lock, deadline, [&] { return locked_.insert(row).second; });
  --waiting_;
  return locked;
}

}  // namespace vaquita

#include "sql/avatica/statement_cache.h"

#include <iterator>
#include <utility>

namespace vaquita::sql {

void StatementCache::RemoveLocked(uint64_t use) {
  const auto found = kept_.find(use);
  if (found == kept_.end()) return;
  bytes_ -= found->second.bytes;
  kept_.erase(found);
}

uint64_t StatementCache::Use(uint64_t before, std::weak_ptr<Owner> owner, uint32_t statement, int64_t bytes) {
  const std::lock_guard lock(mutex_);
  RemoveLocked(before);
  bytes_ += bytes;
  kept_[++uses_] = {std::move(owner), statement, bytes};
  return uses_;
}

void StatementCache::Remove(uint64_t use) {
  const std::lock_guard lock(mutex_);
  RemoveLocked(use);
}

void StatementCache::DropOldest() {
  for (uint64_t use = 0;;) {
    std::shared_ptr<Owner> owner;
    uint32_t statement = 0;
    {
      const std::lock_guard lock(mutex_);
      const auto next = kept_.upper_bound(use);
      if (bytes_ <= most_bytes_ || next == kept_.end() || std::next(next) == kept_.end()) return;
      use = next->first;
      statement = next->second.statement;
      owner = next->second.owner.lock();
    }
    if (owner != nullptr) owner->Drop(statement, use);
  }
}

int64_t StatementCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace vaquita::sql

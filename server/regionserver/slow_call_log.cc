#include "server/regionserver/slow_call_log.h"

#include "absl/strings/match.h"

namespace vaquita {
namespace {

bool Matches(const SlowCall& call, const SlowCallQuery& query) {
  int filters = 0;
  int matches = 0;
  const auto count = [&](const std::optional<std::string>& wanted, bool match) {
    if (!wanted) return;
    ++filters;
    if (match) ++matches;
  };
  count(query.region, call.region == query.region);
  count(query.table, query.table && absl::StartsWith(call.region, *query.table));
  count(query.client_address, call.client_address == query.client_address);
  count(query.user, call.user == query.user);
  if (filters == 0) return true;
  return query.all_filters ? matches == filters : matches > 0;
}

}  // namespace

void SlowCallLog::Record(SlowCall call) {
  if (!enabled_) return;
  const std::lock_guard lock(mutex_);
  if (call.slow) Keep(call, &slow_);
  if (call.large) Keep(call, &large_);
}

std::vector<SlowCall> SlowCallLog::Find(const SlowCallQuery& query) const {
  const std::lock_guard lock(mutex_);
  const std::deque<SlowCall>& ring = query.large ? large_ : slow_;
  std::vector<SlowCall> found;
  for (auto call = ring.rbegin(); call != ring.rend() && static_cast<int64_t>(found.size()) < query.limit; ++call) {
    if (Matches(*call, query)) found.push_back(*call);
  }
  return found;
}

bool SlowCallLog::Clear() {
  const std::lock_guard lock(mutex_);
  slow_.clear();
  large_.clear();
  return enabled_;
}

void SlowCallLog::Keep(const SlowCall& call, std::deque<SlowCall>* ring) const {
  if (ring->size() == most_) ring->pop_front();
  ring->push_back(call);
}

}  // namespace vaquita

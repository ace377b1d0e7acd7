#include "server/regionserver/moved_regions.h"

namespace vaquita {
namespace {

constexpr int64_t kKeepMs = 2 * 60 * 1000;  // HRegionServer.TIMEOUT_REGION_MOVED

// "table,startkey,id.encoded." has it at its end.
std::string_view EncodedNameIn(std::string_view region) {
  if (region.empty() || region.back() != '.') return region;
  region.remove_suffix(1);
  return region.substr(region.rfind('.') + 1);
}

}  // namespace

// A move of a later time is over, too: the clock was set back.
bool MovedRegions::IsOver(const Move& move) const {
  const int64_t now_ms = clock_->NowMs();
  return now_ms < move.at_ms || now_ms - move.at_ms >= kKeepMs;
}

void MovedRegions::Add(const RegionInfo& region, const ServerName& destination) {
  std::lock_guard lock(mutex_);
  std::erase_if(moves_, [this](const auto& entry) { return IsOver(entry.second); });
  moves_[region.EncodedName()] = {destination, clock_->NowMs()};
}

void MovedRegions::Remove(const RegionInfo& region) {
  std::lock_guard lock(mutex_);
  moves_.erase(region.EncodedName());
}

bool MovedRegions::Find(std::string_view region, ServerName* destination) const {
  std::lock_guard lock(mutex_);
  const auto it = moves_.find(EncodedNameIn(region));
  if (it == moves_.end() || IsOver(it->second)) return false;
  *destination = it->second.destination;
  return true;
}

}  // namespace vaquita

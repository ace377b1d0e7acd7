#include "console/region_changes.h"

#include <iterator>
#include <utility>

namespace vaquita {
namespace {

ConsoleEvent EventOf(std::string_view kind, const RegionInfo& region, int64_t time_ms, std::string text) {
  return {.time_ms = time_ms,
          .kind = kind,
          .table = region.table.ToString(),
          .region = region.EncodedName(),
          .start_key = region.start_key,
          .text = std::move(text)};
}

std::string Quoted(const std::string& key, const char* if_empty) {
  return key.empty() ? if_empty : "\"" + ToStringBinary(key) + "\"";
}

// `count` openings or closings of one table are one event: a table may have thousands of regions.
void AddOfTable(std::string_view kind, const char* did, const std::vector<RegionInfo>& regions, int64_t time_ms,
                std::vector<ConsoleEvent>* events) {
  std::map<TableName, std::vector<const RegionInfo*>> tables;
  for (const RegionInfo& region : regions) tables[region.table].push_back(&region);
  for (const auto& [table, its] : tables) {
    const std::string what = its.size() > 1 ? std::to_string(its.size()) + " regions"
                                            : "the region from " + Quoted(its[0]->start_key, "the first key");
    events->push_back(EventOf(kind, *its[0], time_ms, what + " " + did));
    if (its.size() == 1) continue;
    events->back().region.clear();
    events->back().start_key.clear();
  }
}

// Returns the first region of `places`, a map by place, that begins at `start` in `table` and for which `fits` is true.
template <typename Places, typename Fits>
auto FindFrom(const TableName& table, const std::string& start, Places* places, Fits fits) {
  auto at = places->lower_bound({table, start, ""});
  for (; at != places->end() && std::get<0>(at->first) == table && std::get<1>(at->first) == start; ++at) {
    if (fits(at->second)) return at;
  }
  return places->end();
}

// Returns whether `part` ends where `whole` does, or before.
bool EndsWithin(const RegionInfo& part, const RegionInfo& whole) {
  return whole.end_key.empty() || (!part.end_key.empty() && part.end_key <= whole.end_key);
}

}  // namespace

std::vector<ConsoleEvent> RegionChanges::Update(const Regions& regions, int64_t now_ms) {
  std::vector<ConsoleEvent> events;
  std::map<Place, RegionInfo> come;
  for (const auto& [name, info] : regions) {
    if (!regions_.contains(name) && gone_.erase(PlaceOf(name, info)) == 0) come.emplace(PlaceOf(name, info), info);
  }
  for (const auto& [name, info] : regions_) {
    if (!regions.contains(name)) gone_.emplace(PlaceOf(name, info), Gone{info, now_ms});
  }
  regions_ = regions;
  if (std::exchange(first_, false)) return events;
  for (auto at = come.begin(); at != come.end();) {
    at = TakeSplit(at->second, &come, now_ms, &events) ? come.erase(at) : std::next(at);
  }
  std::vector<RegionInfo> opened;
  for (const auto& [place, region] : come) {
    if (!TakeMerge(region, now_ms, &events)) opened.push_back(region);
  }
  AddOfTable("open", "opened here", opened, now_ms, &events);
  return events;
}

// Looks for the parent of `lower` among those that went, and for the upper daughter in `*come`, from which it takes it.
bool RegionChanges::TakeSplit(const RegionInfo& lower, std::map<Place, RegionInfo>* come, int64_t now_ms,
                              std::vector<ConsoleEvent>* events) {
  if (lower.end_key.empty()) return false;
  auto upper = come->end();
  const auto parent = FindFrom(lower.table, lower.start_key, &gone_, [&](const Gone& gone) {
    upper = FindFrom(lower.table, lower.end_key, come,
                     [&](const RegionInfo& other) { return other.end_key == gone.info.end_key; });
    return upper != come->end();
  });
  if (parent == gone_.end()) return false;
  const RegionInfo& split = parent->second.info;
  events->push_back(EventOf(
      "split", split, now_ms,
      "the region from " + Quoted(split.start_key, "the first key") + " was split at " + Quoted(lower.end_key, "")));
  events->back().start_key = lower.end_key;
  come->erase(upper);
  gone_.erase(parent);
  return true;
}

// Looks for neighbours that went and together had the rows of `merged`.
bool RegionChanges::TakeMerge(const RegionInfo& merged, int64_t now_ms, std::vector<ConsoleEvent>* events) {
  std::vector<std::map<Place, Gone>::iterator> parts;
  std::string next = merged.start_key;
  do {
    const auto part =
        FindFrom(merged.table, next, &gone_, [&](const Gone& gone) { return EndsWithin(gone.info, merged); });
    if (part == gone_.end()) return false;
    parts.push_back(part);
    next = part->second.info.end_key;
  } while (next != merged.end_key);
  if (parts.size() < 2) return false;
  events->push_back(EventOf(
      "merge", merged, now_ms,
      std::to_string(parts.size()) + " regions from " + Quoted(merged.start_key, "the first key") + " on were merged"));
  for (const auto& part : parts) gone_.erase(part);
  return true;
}

std::vector<ConsoleEvent> RegionChanges::Closed(int64_t now_ms) {
  std::vector<ConsoleEvent> events;
  std::map<int64_t, std::vector<RegionInfo>> closed;
  std::erase_if(gone_, [&](const auto& gone) {
    // A time that is to come is from before the clock was set back.
    if (now_ms >= gone.second.time_ms && now_ms - gone.second.time_ms < kWaitMs) return false;
    closed[gone.second.time_ms].push_back(gone.second.info);
    return true;
  });
  for (const auto& [time_ms, regions] : closed) AddOfTable("close", "closed here", regions, time_ms, &events);
  return events;
}

}  // namespace vaquita

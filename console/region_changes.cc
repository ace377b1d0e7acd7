#include "console/region_changes.h"

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

}  // namespace

std::vector<ConsoleEvent> RegionChanges::Update(const Regions& regions, int64_t now_ms) {
  std::vector<ConsoleEvent> events;
  Regions come;
  for (const auto& [name, info] : regions) {
    if (!regions_.contains(name) && gone_.erase(name) == 0) come.emplace(name, info);
  }
  for (const auto& [name, info] : regions_) {
    if (!regions.contains(name)) gone_.emplace(name, Gone{info, now_ms});
  }
  regions_ = regions;
  if (std::exchange(first_, false)) return events;
  std::vector<RegionInfo> opened;
  while (!come.empty()) {
    const RegionInfo region = come.extract(come.begin()).mapped();
    if (TakeSplit(region, &come, now_ms, &events) || TakeMerge(region, now_ms, &events)) continue;
    opened.push_back(region);
  }
  AddOfTable("open", "opened here", opened, now_ms, &events);
  return events;
}

// Looks for the parent of `daughter` among those that went, and for the other daughter in `*come`.
bool RegionChanges::TakeSplit(const RegionInfo& daughter, Regions* come, int64_t now_ms,
                              std::vector<ConsoleEvent>* events) {
  for (auto gone = gone_.begin(); gone != gone_.end(); ++gone) {
    const RegionInfo& parent = gone->second.info;
    if (parent.table != daughter.table) continue;
    for (auto other = come->begin(); other != come->end(); ++other) {
      const bool is_lower = daughter.start_key == parent.start_key;
      const RegionInfo& lower = is_lower ? daughter : other->second;
      const RegionInfo& upper = is_lower ? other->second : daughter;
      if (lower.table != upper.table || lower.start_key != parent.start_key || lower.end_key.empty() ||
          lower.end_key != upper.start_key || upper.end_key != parent.end_key) {
        continue;
      }
      events->push_back(EventOf("split", parent, now_ms,
                                "the region from " + Quoted(parent.start_key, "the first key") + " was split at " +
                                    Quoted(upper.start_key, "")));
      events->back().start_key = upper.start_key;
      come->erase(other);
      gone_.erase(gone);
      return true;
    }
  }
  return false;
}

// Looks for neighbours that went and together had the rows of `merged`.
bool RegionChanges::TakeMerge(const RegionInfo& merged, int64_t now_ms, std::vector<ConsoleEvent>* events) {
  std::map<std::string, const RegionInfo*> parts;
  for (const auto& [name, gone] : gone_) {
    if (gone.info.table == merged.table && gone.info.Overlaps(merged)) parts[gone.info.start_key] = &gone.info;
  }
  std::string next = merged.start_key;
  for (const auto& [start, part] : parts) {
    if (start != next || (start != merged.start_key && next.empty())) return false;
    next = part->end_key;
  }
  if (parts.size() < 2 || next != merged.end_key) return false;
  events->push_back(EventOf(
      "merge", merged, now_ms,
      std::to_string(parts.size()) + " regions from " + Quoted(merged.start_key, "the first key") + " on were merged"));
  std::erase_if(gone_, [&](const auto& gone) {
    return gone.second.info.table == merged.table && gone.second.info.Overlaps(merged);
  });
  return true;
}

std::vector<ConsoleEvent> RegionChanges::Closed(int64_t now_ms) {
  std::vector<ConsoleEvent> events;
  std::map<int64_t, std::vector<RegionInfo>> closed;
  std::erase_if(gone_, [&](const auto& gone) {
    if (now_ms - gone.second.time_ms < kWaitMs) return false;
    closed[gone.second.time_ms].push_back(gone.second.info);
    return true;
  });
  for (const auto& [time_ms, regions] : closed) AddOfTable("close", "closed here", regions, time_ms, &events);
  return events;
}

}  // namespace vaquita

#include "server/master/balancer/simple_plan.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "server/master/balancer/count_check.h"

namespace vaquita::balancer {
namespace {

// The regions first..last-1: one table's, or all.
struct RegionSpan {
  RegionIndex first = 0;
  RegionIndex last = 0;
};

std::vector<RegionSpan> Tables(const ClusterPicture& picture) {
  std::vector<RegionSpan> tables(picture.tables.size());
  for (RegionIndex region = 0; region < static_cast<RegionIndex>(picture.regions.size()); ++region) {
    RegionSpan& table = tables[picture.regions[region].table];
    if (table.last == 0) table.first = region;
    table.last = region + 1;
  }
  return tables;
}

class SimplePlanner {
 public:
  SimplePlanner(const ClusterPicture& picture, const SimplePlanSettings& settings)
      : picture_(picture),
        settings_(settings),
        server_count_(static_cast<ServerIndex>(picture.servers.size())),
        totals_(RegionCounts(picture)),
        move_of_region_(picture.regions.size(), kNone),
        regions_of_(picture.servers.size()) {
    place_.reserve(picture.regions.size());
    for (const PicturedRegion& region : picture.regions) place_.push_back(region.server);
  }

  BalancePlan Plan() {
    BalancePlan plan;
    settings_.by_table ? PlanByTable() : PlanCluster();
    std::erase_if(moves_, [](const RegionMove& move) { return move.from == move.to; });
    plan.moves = std::move(moves_);
    plan.verdict = why_.empty() ? "The cluster is balanced: every server is within the slop" : why_;
    return plan;
  }

 private:
  void PlanCluster() {
    const std::string why = WhyCountsAskForBalance(totals_, settings_.slop);
    if (why.empty()) return;
    AddReason("The cluster", why);
    Level({0, static_cast<RegionIndex>(picture_.regions.size())}, "");
  }

  void PlanByTable() {
    const std::vector<RegionSpan> tables = Tables(picture_);
    const std::string why_overall = WhyTotalsAskForBalance();
    for (size_t i = 0; i < tables.size(); ++i) {
      const std::string table = picture_.tables[i].ToString();
      const std::string why = WhyCountsAskForBalance(CountsOf(tables[i]), settings_.slop);
      if (why.empty() && why_overall.empty()) continue;
      if (!why.empty()) AddReason(absl::StrCat("Table ", table), why);
      Level(tables[i], absl::StrCat(" of table ", table));
    }
    if (why_overall.empty()) return;
    AddReason("All tables together", why_overall);
    LevelTotals(tables);
  }

  std::string WhyTotalsAskForBalance() const { return WhyCountsAskForBalance(totals_, settings_.overall_slop); }

  void AddReason(const std::string& what, const std::string& why) {
    if (why_.empty()) why_ = absl::StrCat(what, " is not balanced: ", why);
  }

  std::vector<int32_t> CountsOf(RegionSpan span) const {
    std::vector<int32_t> counts(server_count_);
    for (RegionIndex region = span.first; region < span.last; ++region) ++counts[place_[region]];
    return counts;
  }

  // Fills regions_of_ with the span's movable regions, server by server, so that the newest is the last.
  void Sort(RegionSpan span) {
    for (auto& regions : regions_of_) regions.clear();
    for (RegionIndex region = span.first; region < span.last; ++region) {
      if (picture_.regions[region].movable) regions_of_[place_[region]].push_back(region);
    }
    for (auto& regions : regions_of_) {
      std::sort(regions.begin(), regions.end(), [this](RegionIndex a, RegionIndex b) {
        const int64_t id_a = picture_.regions[a].info.id;
        const int64_t id_b = picture_.regions[b].info.id;
        return id_a != id_b ? id_a < id_b : a > b;
      });
    }
  }

  // Returns the servers for which `chosen` is true, in the order of `less`, and equal ones by name.
  template <typename Chosen, typename Less>
  std::vector<ServerIndex> Servers(Chosen chosen, Less less) const {
    std::vector<ServerIndex> servers;
    for (ServerIndex server = 0; server < server_count_; ++server) {
      if (chosen(server)) servers.push_back(server);
    }
    std::stable_sort(servers.begin(), servers.end(), less);
    return servers;
  }

  struct Levelling;
  void Level(RegionSpan span, const std::string& of_what);
  void Give(Levelling& levelling);
  void Take(Levelling& levelling);
  void LevelTotals(const std::vector<RegionSpan>& tables);
  bool LevelTotalsByOneTable(RegionSpan span, const std::string& table);
  void Move(RegionIndex region, ServerIndex to, std::string reason);

  const ClusterPicture& picture_;
  const SimplePlanSettings settings_;
  const ServerIndex server_count_;
  std::vector<int32_t> totals_;  // regions of each server, with the moves so far
  std::vector<ServerIndex> place_;
  std::vector<int32_t> move_of_region_;  // index of its move, or kNone
  std::vector<std::vector<RegionIndex>> regions_of_;
  std::vector<RegionMove> moves_;
  std::string why_;
};

void SimplePlanner::Move(RegionIndex region, ServerIndex to, std::string reason) {
  --totals_[place_[region]];
  ++totals_[to];
  place_[region] = to;
  int32_t& move = move_of_region_[region];
  if (move == kNone) {
    move = static_cast<int32_t>(moves_.size());
    moves_.push_back({region, picture_.regions[region].server, to, std::move(reason)});
  } else {
    moves_[move].to = to;  // a region that was to move goes elsewhere: one move, not two
    moves_[move].reason = std::move(reason);
  }
}

// One span on its way to `least` to `most` regions on each server.
struct SimplePlanner::Levelling {
  std::string of_what;  // " of table t", or nothing
  int32_t least = 0;
  int32_t most = 0;
  std::vector<int32_t> before;  // regions of each server
  std::vector<int32_t> counts;  // regions of each server now
  std::vector<RegionIndex> given;
};

void SimplePlanner::Level(RegionSpan span, const std::string& of_what) {
  const int32_t regions = span.last - span.first;
  Levelling levelling{.of_what = of_what, .least = regions / server_count_, .before = CountsOf(span)};
  levelling.most = regions % server_count_ == 0 ? levelling.least : levelling.least + 1;
  levelling.counts = levelling.before;
  Sort(span);
  Give(levelling);
  Take(levelling);
}

// Servers give what they have over `most`. If that is not enough for those below `least`, others give one.
void SimplePlanner::Give(Levelling& levelling) {
  std::vector<int32_t>& counts = levelling.counts;
  const auto give_one = [&](ServerIndex from) {
    if (regions_of_[from].empty()) return false;
    levelling.given.push_back(regions_of_[from].back());
    regions_of_[from].pop_back();
    --counts[from];
    return true;
  };
  size_t wanted = 0;
  for (ServerIndex server = 0; server < server_count_; ++server) {
    while (counts[server] > levelling.most && give_one(server)) {
    }
    wanted += std::max(0, levelling.least - counts[server]);
  }
  for (const ServerIndex server : Servers([&](ServerIndex s) { return counts[s] > levelling.least; },
                                          [&](ServerIndex a, ServerIndex b) { return totals_[a] > totals_[b]; })) {
    if (levelling.given.size() >= wanted) break;
    give_one(server);
  }
  std::sort(levelling.given.begin(), levelling.given.end(),
            [this](RegionIndex a, RegionIndex b) { return std::pair(place_[a], a) < std::pair(place_[b], b); });
}

// Those below `least` take in turns; what then remains goes to those with the fewest regions of all tables, one each.
void SimplePlanner::Take(Levelling& levelling) {
  std::vector<int32_t>& counts = levelling.counts;
  size_t next = 0;
  const auto take_one = [&](ServerIndex to) {
    const RegionIndex region = levelling.given[next++];
    Move(region, to,
         absl::StrCat("source has ", levelling.before[place_[region]], " regions", levelling.of_what, " (most: ",
                      levelling.most, "), target ", levelling.before[to], " (least: ", levelling.least, ")"));
    ++counts[to];
  };
  std::vector<ServerIndex> takers =
      Servers([&](ServerIndex s) { return counts[s] < levelling.least; },
              [&](ServerIndex a, ServerIndex b) {
                return std::pair(counts[a], totals_[a]) < std::pair(counts[b], totals_[b]);
              });
  while (next < levelling.given.size() && !takers.empty()) {
    for (size_t i = 0; i < takers.size() && next < levelling.given.size(); ++i) take_one(takers[i]);
    std::erase_if(takers, [&](ServerIndex s) { return counts[s] >= levelling.least; });
    std::reverse(takers.begin(), takers.end());
  }
  for (const ServerIndex server : Servers([&](ServerIndex s) { return counts[s] < levelling.most; },
                                          [&](ServerIndex a, ServerIndex b) { return totals_[a] < totals_[b]; })) {
    if (next == levelling.given.size()) break;
    take_one(server);
  }
}

void SimplePlanner::LevelTotals(const std::vector<RegionSpan>& tables) {
  bool moved = true;
  while (moved && !WhyTotalsAskForBalance().empty()) {  // each move brings two totals closer, so this ends
    moved = false;
    for (size_t i = 0; i < tables.size(); ++i) {
      moved |= LevelTotalsByOneTable(tables[i], picture_.tables[i].ToString());
    }
  }
}

// Servers with the table's most regions give one to servers with its least, where that evens the totals.
bool SimplePlanner::LevelTotalsByOneTable(RegionSpan span, const std::string& table) {
  const std::vector<int32_t> counts = CountsOf(span);
  const auto extremes = std::minmax_element(counts.begin(), counts.end());
  const auto least = extremes.first, most = extremes.second;
  if (*most != *least + 1) return false;
  const std::vector<ServerIndex> givers =
      Servers([&](ServerIndex s) { return counts[s] == *most; },
              [&](ServerIndex a, ServerIndex b) { return totals_[a] > totals_[b]; });
  const std::vector<ServerIndex> takers =
      Servers([&](ServerIndex s) { return counts[s] == *least; },
              [&](ServerIndex a, ServerIndex b) { return totals_[a] < totals_[b]; });
  Sort(span);
  bool moved = false;
  for (size_t i = 0; i < std::min(givers.size(), takers.size()); ++i) {
    const ServerIndex from = givers[i];
    const ServerIndex to = takers[i];
    if (totals_[from] < totals_[to] + 2) break;
    if (regions_of_[from].empty()) continue;
    Move(regions_of_[from].back(), to,
         absl::StrCat("source has ", totals_[from], " regions of all tables, target ", totals_[to], "; of table ",
                      table, " ", *most, " and ", *least));
    moved = true;
  }
  return moved;
}

}  // namespace

BalancePlan MakeSimplePlan(const ClusterPicture& picture, const SimplePlanSettings& settings) {
  return SimplePlanner(picture, settings).Plan();
}

}  // namespace vaquita::balancer

#include "server/master/balancer/cluster_costs.h"

#include <algorithm>
#include <numeric>

namespace vaquita::balancer {
namespace {

constexpr int64_t kMovesInAnyCase = 600;
constexpr double kTooManyMoves = 1'000'000;  // above anything that moves can gain

}  // namespace

double Amount(CostKind kind, const RegionLoad& load) {
  switch (kind) {
    case kReadRequests:
      return load.read_requests;
    case kWriteRequests:
      return load.write_requests;
    case kMemstore:
      return load.memstore_mb;
    case kStoreFiles:
      return load.store_mb;
    default:
      return 1;
  }
}

const char* CostFunctionName(CostKind kind) {
  constexpr std::array<const char*, kCostKinds> kNames = {
      "RegionCountSkewCostFunction", "ReadRequestCostFunction", "WriteRequestCostFunction", "MemStoreSizeCostFunction",
      "StoreFileCostFunction",       "TableSkewCostFunction",   "MoveCostFunction"};
  return kNames[kind];
}

ClusterCosts::ClusterCosts(const ClusterPicture& picture, RegionIndex first, RegionIndex last,
                           const LoadAwareSettings& settings)
    : picture_(picture), first_(first), last_(last) {
  weights_ = {settings.region_count_cost,  settings.read_request_cost,    settings.write_request_cost,
              settings.memstore_size_cost, settings.store_file_size_cost, settings.table_skew_cost,
              settings.move_cost};
  weight_sum_ = std::accumulate(weights_.begin(), weights_.end(), settings.locality_cost + settings.rack_locality_cost);
  max_moves_ = std::max(static_cast<int64_t>((last - first) * settings.max_move_percent), kMovesInAnyCase);

  const size_t servers = picture.servers.size();
  regions_of_.resize(servers);
  position_.resize(last - first, kNone);
  for (auto& amounts : amounts_) amounts.resize(servers);
  for (RegionIndex region = first; region < last; ++region) {
    const PicturedRegion& pictured = picture.regions[region];
    place_.push_back(pictured.server);
    for (int kind = 0; kind < kAmounts; ++kind) {
      amounts_[kind][pictured.server] += Amount(static_cast<CostKind>(kind), pictured.load);
    }
    if (!pictured.movable) continue;
    position_[region - first] = static_cast<int32_t>(regions_of_[pictured.server].size());
    regions_of_[pictured.server].push_back(region);
  }
  for (int kind = 0; kind < kAmounts; ++kind) {
    const double total = std::accumulate(amounts_[kind].begin(), amounts_[kind].end(), 0.0);
    skews_[kind] = Skew(total, static_cast<double>(servers));
    squares_[kind] = skews_[kind].SumOfSquares(amounts_[kind]);
    costs_[kind] = skews_[kind].Scaled(squares_[kind]);
  }
  CountTables();
}

void ClusterCosts::CountTables() {
  if (first_ == last_) return;
  first_table_ = picture_.regions[first_].table;
  tables_.resize(picture_.regions[last_ - 1].table - first_table_ + 1);
  std::vector<int32_t> totals(tables_.size());
  for (RegionIndex region = first_; region < last_; ++region) {
    const TableIndex table = picture_.regions[region].table;
    ++totals[table - first_table_];
    ++of_table_[TableKey(table, place(region))];
  }
  const double servers = static_cast<double>(server_count());
  for (size_t table = 0; table < tables_.size(); ++table) {
    tables_[table].skew = Skew(totals[table], servers);
    const double mean = tables_[table].skew.mean();
    tables_[table].squares = servers * mean * mean;  // as if no server had regions of it; those with regions follow
  }
  for (const auto& [key, count] : of_table_) {
    TableCost& table = tables_[static_cast<TableIndex>(key >> 32) - first_table_];
    table.squares += count * (count - 2 * table.skew.mean());
  }
  for (const TableCost& table : tables_) costs_[kTableSkew] += table.skew.Scaled(table.squares);
}

int32_t ClusterCosts::of_table(TableIndex table, ServerIndex server) const {
  const auto found = of_table_.find(TableKey(table, server));
  return found == of_table_.end() ? 0 : found->second;
}

double ClusterCosts::AmountShift(CostKind kind, ServerIndex from, ServerIndex to, double amount) const {
  return 2 * amount * (amounts_[kind][to] - amounts_[kind][from] + amount);
}

double ClusterCosts::TableShift(TableIndex table, ServerIndex from, ServerIndex to) const {
  return 2.0 * (of_table(table, to) - of_table(table, from) + 1);
}

double ClusterCosts::MoveCost(int64_t moves) const {
  if (moves > max_moves_) return kTooManyMoves;
  return Scale(0, static_cast<double>(std::min<int64_t>(last_ - first_, max_moves_)), static_cast<double>(moves));
}

int64_t ClusterCosts::MovesAfter(const Change& change) const {
  const ServerIndex from = place(change.region);
  const auto shift = [&](RegionIndex region, ServerIndex leaves, ServerIndex enters) {
    const ServerIndex home = picture_.regions[region].server;
    return (leaves == home ? 1 : 0) - (enters == home ? 1 : 0);
  };
  int64_t moves = moves_ + shift(change.region, from, change.to);
  if (change.back != kNone) moves += shift(change.back, change.to, from);
  return moves;
}

Costs ClusterCosts::CostsAfter(const Change& change) const {
  const ServerIndex from = place(change.region);
  const PicturedRegion& region = picture_.regions[change.region];
  const PicturedRegion* back = change.back == kNone ? nullptr : &picture_.regions[change.back];
  Costs costs = costs_;
  for (int i = 0; i < kAmounts; ++i) {
    const auto kind = static_cast<CostKind>(i);
    const double amount = Amount(kind, region.load) - (back ? Amount(kind, back->load) : 0);
    if (amount == 0) continue;
    costs[kind] = skews_[kind].Scaled(squares_[kind] + AmountShift(kind, from, change.to, amount));
  }
  const auto shift_table = [&](TableIndex table_index, ServerIndex leaves, ServerIndex enters) {
    const TableCost& table = tables_[table_index - first_table_];
    const double squares = table.squares + TableShift(table_index, leaves, enters);
    costs[kTableSkew] += table.skew.Scaled(squares) - table.skew.Scaled(table.squares);
  };
  if (!back || back->table != region.table) {
    shift_table(region.table, from, change.to);
    if (back) shift_table(back->table, change.to, from);
  }
  costs[kMoves] = MoveCost(MovesAfter(change));
  return costs;
}

void ClusterCosts::Apply(const Change& change) {
  const ServerIndex from = place(change.region);
  costs_ = CostsAfter(change);
  moves_ = MovesAfter(change);
  Put(change.region, change.to);
  if (change.back != kNone) Put(change.back, from);
}

void ClusterCosts::Put(RegionIndex region, ServerIndex to) {
  const ServerIndex from = place(region);
  const PicturedRegion& pictured = picture_.regions[region];
  for (int i = 0; i < kAmounts; ++i) {
    const auto kind = static_cast<CostKind>(i);
    const double amount = Amount(kind, pictured.load);
    squares_[kind] += AmountShift(kind, from, to, amount);
    amounts_[kind][from] -= amount;
    amounts_[kind][to] += amount;
  }
  tables_[pictured.table - first_table_].squares += TableShift(pictured.table, from, to);
  --of_table_[TableKey(pictured.table, from)];
  ++of_table_[TableKey(pictured.table, to)];
  place_[region - first_] = to;

  std::vector<RegionIndex>& left = regions_of_[from];
  int32_t& position = position_[region - first_];
  left[position] = left.back();
  position_[left[position] - first_] = position;
  left.pop_back();
  position = static_cast<int32_t>(regions_of_[to].size());
  regions_of_[to].push_back(region);
}

double ClusterCosts::Imbalance(const Costs& costs) const {
  if (weight_sum_ <= 0) return 0;
  return std::inner_product(costs.begin(), costs.end(), weights_.begin(), 0.0) / weight_sum_;
}

}  // namespace vaquita::balancer

#include "server/master/meta/leftover_handoffs.h"

#include <set>

#include "base/log.h"
#include "server/data_root/handoff.h"

namespace vaquita {
namespace {

bool IsWanted(const RegionInfo& info, const MetaTable::Contents& meta) {
  bool has_table = meta.states.contains(info.table);
  for (const MetaTable::Row& row : meta.regions) {
    if (!row.daughters.empty()) continue;
    if (row.region.info.Overlaps(info)) return false;
    has_table |= row.region.info.table == info.table;
  }
  return has_table;
}

}  // namespace

void RemoveLeftoverHandoffs(const std::string& root, const std::vector<std::string>& encoded_names) {
  for (const std::string& name : encoded_names) {
    if (HasHandoff(root, name)) spdlog::info("removing the handoff of {}: no region needs it", name);
    const absl::Status removed = RemoveHandoff(root, name);
    if (!removed.ok())
      spdlog::warn("cannot remove the handoff of {}, which no region needs: {}", name, removed.ToString());
  }
}

std::vector<std::string> FindLeftoverHandoffs(const std::string& root, const MetaTable::Contents& meta) {
  const auto handoffs = ListHandoffs(root);
  if (!handoffs.ok() || handoffs->empty()) return {};
  std::set<std::string> in_meta;
  for (const MetaTable::Row& row : meta.regions) in_meta.insert(row.region.info.EncodedName());
  std::vector<std::string> leftovers;
  for (const std::string& name : *handoffs) {
    if (in_meta.contains(name)) continue;
    const auto region = ReadHandoff(root, name);
    if (region.ok() && !IsWanted(region->info, meta)) leftovers.push_back(name);
  }
  return leftovers;
}

}  // namespace vaquita

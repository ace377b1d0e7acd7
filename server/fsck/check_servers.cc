// Compares the reports of a running cluster's region servers with hbase:meta.

#include "absl/strings/str_join.h"
#include "server/fsck/checker.h"

namespace vaquita::fsck {
namespace {

// "OPEN at a,1,1".
std::string PlaceText(const MetaTable::Row& row) {
  std::string text(RegionStateName(row.region.state));
  return row.region.server_name.empty() ? text : text + " at " + row.region.server_name;
}

}  // namespace

void Checker::CheckServers() {
  std::map<std::string, std::vector<std::string>> deployed;
  for (const LiveRegions& server : picture_.servers) {
    for (const RegionInfo& info : server.regions) {
      const std::string name = info.EncodedName();
      deployed[name].push_back(server.server);
      if (by_name_.contains(name) || picture_.in_transition.contains(name)) continue;
      Finding& finding = Add(FindingKind::kNotInMeta, &info.table, name,
                             server.server + " serves its rows " + RangeText(info.start_key, info.end_key) +
                                 ", and hbase:meta does not have it");
      finding.advice = "stop the servers, and repair before they start again: a start would drop its data";
    }
  }
  for (const Row* row : regions_) CheckDeployment(*row, deployed[row->region.info.EncodedName()]);
}

void Checker::CheckDeployment(const Row& row, const std::vector<std::string>& servers) {
  const RegionInfo& info = row.region.info;
  const std::string name = info.EncodedName();
  const auto state = picture_.states.find(info.table);
  const bool is_enabled = state != picture_.states.end() && state->second == TableState::kEnabled;
  if (!is_enabled || picture_.in_transition.contains(name)) return;
  if (picture_.unknown_servers.contains(row.region.home)) {
    Add(FindingKind::kUnknownServer, &info.table, name,
        "meta says it is with " + row.region.home + ", which is unknown")
        .advice = "restart the master";
  }
  if (servers.size() > 1) {
    Add(FindingKind::kMultiDeployed, &info.table, name, "it is served by " + absl::StrJoin(servers, " and ")).advice =
        "restart all but one of these servers";
  } else if (servers.empty() && row.region.state != RegionState::kClosed) {
    Add(FindingKind::kNotDeployed, &info.table, name, "no server serves it; meta says " + PlaceText(row)).advice =
        "the shell's `assign '" + name + "'` tries again";
  } else if (servers.size() == 1 && servers.front() != row.region.server_name) {
    Add(FindingKind::kOtherServer, &info.table, name, servers.front() + " serves it; meta says " + PlaceText(row))
        .advice = "restart " + servers.front();
  }
}

}  // namespace vaquita::fsck

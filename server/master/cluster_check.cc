#include "server/master/cluster_check.h"

#include <set>
#include <string>
#include <utility>

#include "base/status.h"
#include "server/fsck/check.h"
#include "server/master/assignment/assignment_manager.h"
#include "server/master/procedure/master_parts.h"

namespace vaquita {
namespace {

using fsck::Finding;
using fsck::Picture;

void AddRegionsInTransition(const AssignmentManager& assignment, Picture* picture) {
  for (const assignment::RegionView& region : assignment.RegionsInTransition()) {
    picture->in_transition.insert(region.info->EncodedName());
  }
}

absl::Status AddMeta(MasterParts& master, Picture* picture) {
  VAQUITA_ASSIGN_OR_RETURN(MetaTable::Contents contents, master.meta->Load(&picture->bad_rows));
  picture->rows = std::move(contents.regions);
  picture->states = std::move(contents.states);
  std::erase_if(picture->rows, [](const MetaTable::Row& row) { return IsMastersOwn(row.region.info.table); });
  std::erase_if(picture->states, [](const auto& state) { return IsMastersOwn(state.first); });
  for (const TableName& table : master.catalog.Tables()) {
    if (auto descriptor = master.catalog.Descriptor(table); descriptor.ok()) {
      picture->descriptors[table] = *std::move(descriptor);
    }
  }
  return absl::OkStatus();
}

// Adds the regions that each server serves now. Nothing is known of a server that does not answer.
void AddServers(const MasterParts& master, Picture* picture) {
  for (const OnlineServer& server : master.servers.All()) {
    const auto report = server.control->Report();
    if (!report.ok()) {
      for (const MetaTable::Row& row : picture->rows) {
        if (row.region.home == server.name) picture->in_transition.insert(row.region.info.EncodedName());
      }
      continue;
    }
    fsck::LiveRegions& live = picture->servers.emplace_back();
    live.server = server.name;
    for (const RegionMetrics& region : report->metrics.regions) {
      if (!IsMastersOwn(region.info.table)) live.regions.push_back(region.info);
    }
  }
}

void AddUnknownServers(const AssignmentManager& assignment, Picture* picture) {
  std::set<std::string> known;
  for (const assignment::ServerView& server : assignment.Servers()) known.insert(server.name);
  for (const MetaTable::Row& row : picture->rows) {
    if (!row.region.home.empty() && !known.contains(row.region.home)) picture->unknown_servers.insert(row.region.home);
  }
}

absl::StatusOr<std::vector<Finding>> FindInconsistencies(MasterParts& master) {
  Picture picture;
  AddRegionsInTransition(*master.assigner, &picture);
  VAQUITA_RETURN_IF_ERROR(AddMeta(master, &picture));
  AddServers(master, &picture);
  AddRegionsInTransition(*master.assigner, &picture);
  AddUnknownServers(*master.assigner, &picture);
  return fsck::Check(picture);
}

}  // namespace

absl::StatusOr<std::vector<Finding>> CheckCluster(MasterParts& master) {
  VAQUITA_ASSIGN_OR_RETURN(std::vector<Finding> findings, FindInconsistencies(master));
  if (findings.empty()) return findings;
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<Finding> again, FindInconsistencies(master));
  std::set<std::string> still;
  for (const Finding& finding : again) still.insert(ToString(finding));
  std::erase_if(findings, [&](const Finding& finding) { return !still.contains(ToString(finding)); });
  return findings;
}

}  // namespace vaquita

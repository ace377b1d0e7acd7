// RegionServer::Execute: from a command of the assignment to what the server does, and from that to its result.
#include <map>
#include <utility>

#include "base/status.h"
#include "server/regionserver/region_server.h"

namespace vaquita {
namespace {

using Statuses = std::vector<absl::Status>;

std::vector<std::string> NamesIn(const Command& command) {
  std::vector<std::string> names;
  names.reserve(command.regions.size());
  for (const RegionOrder& order : command.regions) names.push_back(order.region);
  return names;
}

// REQUIRES: NeedsTables(command.kind).
std::vector<RegionOfTable> RegionsIn(const Command& command) {
  std::vector<RegionOfTable> regions;
  regions.reserve(command.regions.size());
  for (const RegionOrder& order : command.regions) regions.push_back({*order.info, order.table, order.refusal});
  return regions;
}

}  // namespace

// Creates the regions that were never open and have no data.
Statuses RegionServer::OpenOrCreate(const Command& command) {
  Statuses statuses = OpenRegions(RegionsIn(command));
  std::map<TableName, std::vector<size_t>> missing;
  for (size_t i = 0; i < statuses.size(); ++i) {
    const RegionOrder& order = command.regions[i];
    if (order.never_open && absl::IsNotFound(statuses[i])) missing[order.info->table].push_back(i);
  }
  for (const auto& [table, places] : missing) {
    std::vector<RegionInfo> infos;
    for (const size_t i : places) infos.push_back(*command.regions[i].info);
    const absl::Status created = CreateRegions(infos, command.regions[places.front()].table);
    for (const size_t i : places) statuses[i] = created;
  }
  return statuses;
}

CommandResult RegionServer::Execute(const Command& command) {
  CommandResult result{.id = command.id};
  const auto take = [&result](auto answer, auto* place) {
    result.status = answer.status();
    if (answer.ok()) *place = *std::move(answer);
  };
  switch (command.kind) {
    case CommandKind::kOpen:
      result.regions = OpenOrCreate(command);
      break;
    case CommandKind::kServe:
      result.regions = ServeRegions(NamesIn(command));
      break;
    case CommandKind::kClose:
      result.regions = CloseRegions(NamesIn(command), command.other);
      break;
    case CommandKind::kRelease:
      result.regions = ReleaseRegions(RegionsIn(command));
      break;
    case CommandKind::kDrop:
      result.regions = CloseRegions(NamesIn(command), "");
      for (absl::Status& status : result.regions) {
        if (IsError(status, ErrorKind::kNotServingRegion)) status = absl::OkStatus();
      }
      break;
    case CommandKind::kRecover:
      take(RecoverServer(command.other, RegionsIn(command)), &result.regions);
      break;
    case CommandKind::kBeginSplit:
      take(BeginSplit(command.regions.front().region, command.split_row), &result.transition);
      break;
    case CommandKind::kBeginMerge:
      take(BeginMerge(NamesIn(command), command.forcible), &result.transition);
      break;
    case CommandKind::kEndTransition:
      result.status =
          EndTransition(command.transition, command.commit ? TransitionEnd::kCommit : TransitionEnd::kRollBack);
  }
  return result;
}

}  // namespace vaquita

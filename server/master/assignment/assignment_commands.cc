#include "server/master/assignment/assignment_commands.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "server/control/region_server_control.h"

namespace vaquita {
namespace {

using assignment::Command;
using assignment::CommandKind;
using assignment::CommandResult;
using assignment::RegionOrder;

using Statuses = std::vector<absl::Status>;

std::vector<std::string> NamesIn(const Command& command) {
  std::vector<std::string> names;
  names.reserve(command.regions.size());
  for (const RegionOrder& order : command.regions) names.push_back(order.region);
  return names;
}

// The regions with their tables; those that cannot be told apart have their error in `*statuses`, and are left out.
std::vector<RegionOfTable> WithTables(const Command& command, const DescriptorOf& descriptor, Statuses* statuses,
                                      std::vector<size_t>* places) {
  std::map<TableName, absl::StatusOr<std::shared_ptr<const TableDescriptor>>> tables;
  std::vector<RegionOfTable> regions;
  statuses->assign(command.regions.size(), absl::OkStatus());
  for (size_t i = 0; i < command.regions.size(); ++i) {
    const RegionInfo& info = *command.regions[i].info;
    auto table = tables.find(info.table);
    if (table == tables.end()) table = tables.emplace(info.table, descriptor(info.table)).first;
    if (table->second.ok()) {
      regions.push_back({info, *table->second, command.regions[i].refusal});
      places->push_back(i);
    } else {
      (*statuses)[i] = table->second.status();
    }
  }
  return regions;
}

void PutBack(const Statuses& answers, const std::vector<size_t>& places, Statuses* statuses) {
  for (size_t i = 0; i < places.size() && i < answers.size(); ++i) (*statuses)[places[i]] = answers[i];
}

// Those that no server has anything of, because they were never open, begin empty.
void Create(const Command& command, const std::vector<RegionOfTable>& regions, const std::vector<size_t>& places,
            RegionServerControl& server, Statuses* statuses) {
  std::map<TableName, std::vector<size_t>> by_table;
  for (size_t i = 0; i < places.size(); ++i) {
    const bool is_new = command.regions[places[i]].never_open && absl::IsNotFound((*statuses)[places[i]]);
    if (is_new) by_table[regions[i].info.table].push_back(i);
  }
  for (const auto& [table, indexes] : by_table) {
    std::vector<RegionInfo> infos;
    for (const size_t i : indexes) infos.push_back(regions[i].info);
    const absl::Status created = server.CreateRegions(infos, regions[indexes.front()].table);
    for (const size_t i : indexes) (*statuses)[places[i]] = created;
  }
}

Statuses Open(const Command& command, RegionServerControl& server, const DescriptorOf& descriptor) {
  Statuses statuses;
  std::vector<size_t> places;
  const std::vector<RegionOfTable> regions = WithTables(command, descriptor, &statuses, &places);
  PutBack(server.OpenRegions(regions), places, &statuses);
  Create(command, regions, places, server, &statuses);
  return statuses;
}

Statuses Release(const Command& command, RegionServerControl& server, const DescriptorOf& descriptor) {
  Statuses statuses;
  std::vector<size_t> places;
  const std::vector<RegionOfTable> regions = WithTables(command, descriptor, &statuses, &places);
  PutBack(server.ReleaseRegions(regions), places, &statuses);
  return statuses;
}

// The stores stay: what hbase:meta says of them may be wrong. The server's next start looks at them again.
Statuses Drop(const Command& command, RegionServerControl& server) {
  Statuses statuses = server.CloseRegions(NamesIn(command), "");
  for (absl::Status& status : statuses) {
    if (IsError(status, ErrorKind::kNotServingRegion)) status = absl::OkStatus();
  }
  return statuses;
}

absl::StatusOr<Statuses> Recover(const Command& command, RegionServerControl& server, const DescriptorOf& descriptor) {
  Statuses statuses;
  std::vector<size_t> places;
  const std::vector<RegionOfTable> regions = WithTables(command, descriptor, &statuses, &places);
  // The folder goes with what is not in the list, so the list must be whole.
  if (places.size() != command.regions.size()) return FirstError(statuses);
  return server.RecoverServer(command.other, regions);
}

absl::StatusOr<PendingTransition> BeginTransition(const Command& command, RegionServerControl& server) {
  if (command.kind == CommandKind::kBeginMerge) return server.BeginMerge(NamesIn(command), command.forcible);
  return server.BeginSplit(command.regions.front().region, command.split_row);
}

}  // namespace

CommandResult RunCommand(const Command& command, RegionServerControl& server, const DescriptorOf& descriptor) {
  CommandResult result{.id = command.id};
  switch (command.kind) {
    case CommandKind::kOpen:
      result.regions = Open(command, server, descriptor);
      break;
    case CommandKind::kServe:
      result.regions = server.ServeRegions(NamesIn(command));
      break;
    case CommandKind::kClose:
      result.regions = server.CloseRegions(NamesIn(command), command.other);
      break;
    case CommandKind::kRelease:
      result.regions = Release(command, server, descriptor);
      break;
    case CommandKind::kDrop:
      result.regions = Drop(command, server);
      break;
    case CommandKind::kRecover: {
      auto recovered = Recover(command, server, descriptor);
      result.status = recovered.status();
      if (recovered.ok()) result.regions = *std::move(recovered);
      break;
    }
    case CommandKind::kBeginSplit:
    case CommandKind::kBeginMerge: {
      auto begun = BeginTransition(command, server);
      result.status = begun.status();
      if (begun.ok()) result.transition = *std::move(begun);
      break;
    }
    case CommandKind::kEndTransition:
      result.status =
          server.EndTransition(command.transition, command.commit ? TransitionEnd::kCommit : TransitionEnd::kRollBack);
  }
  result.answered =
      !IsUnanswered(result.status) && std::none_of(result.regions.begin(), result.regions.end(), &IsUnanswered);
  return result;
}

}  // namespace vaquita

#include "server/master/assignment/assignment_commands.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/log.h"
#include "server/control/region_server_control.h"

namespace vaquita {
namespace {

// Returns the command with its regions' tables, where it does not have them. Regions whose table is unknown are left
// out: `*statuses`, of all regions, has their errors, and `*places` the places of those that stay.
Command WithTables(const Command& command, const DescriptorOf& descriptor, std::vector<absl::Status>* statuses,
                   std::vector<size_t>* places) {
  std::map<TableName, absl::StatusOr<std::shared_ptr<const TableDescriptor>>> tables;
  Command with_tables = command;
  with_tables.regions.clear();
  statuses->assign(command.regions.size(), absl::OkStatus());
  for (size_t i = 0; i < command.regions.size(); ++i) {
    if (command.regions[i].table != nullptr) {
      with_tables.regions.push_back(command.regions[i]);
      places->push_back(i);
      continue;
    }
    const TableName& name = command.regions[i].info->table;
    auto table = tables.find(name);
    if (table == tables.end()) table = tables.emplace(name, descriptor(name)).first;
    if (table->second.ok()) {
      with_tables.regions.push_back(command.regions[i]);
      with_tables.regions.back().table = *table->second;
      places->push_back(i);
    } else {
      (*statuses)[i] = table->second.status();
    }
  }
  return with_tables;
}

CommandResult RunWithTables(const Command& command, RegionServerControl& server, const DescriptorOf& descriptor) {
  std::vector<absl::Status> statuses;
  std::vector<size_t> places;
  const Command with_tables = WithTables(command, descriptor, &statuses, &places);
  if (command.kind == CommandKind::kRecover) {
    for (size_t i = 0; i < statuses.size(); ++i) {
      if (statuses[i].ok()) continue;
      spdlog::warn("assignment: the recovery of {} leaves out region {}: {}", command.other, command.regions[i].region,
                   statuses[i].ToString());
      statuses[i] = absl::OkStatus();
    }
  }
  CommandResult result = server.Execute(with_tables);
  if (!result.status.ok()) return result;
  for (size_t i = 0; i < places.size() && i < result.regions.size(); ++i) statuses[places[i]] = result.regions[i];
  result.regions = std::move(statuses);
  return result;
}

}  // namespace

CommandResult RunCommand(const Command& command, RegionServerControl& server, const DescriptorOf& descriptor) {
  CommandResult result =
      NeedsTables(command.kind) ? RunWithTables(command, server, descriptor) : server.Execute(command);
  result.answered =
      !IsUnanswered(result.status) && std::none_of(result.regions.begin(), result.regions.end(), &IsUnanswered);
  return result;
}

}  // namespace vaquita

// server/master/assignment/assignment_commands.h: sends a command of the assignment to a region server.
//
// Threads: any; it returns when the server has answered.
#pragma once

#include <functional>
#include <memory>

#include "absl/status/statusor.h"
#include "model/table_name.h"
#include "server/control/command.h"

namespace vaquita {

class RegionServerControl;

using DescriptorOf = std::function<absl::StatusOr<std::shared_ptr<const TableDescriptor>>(const TableName&)>;

// Adds the regions' tables where the command needs them. Regions whose table is unknown have its error, and are left
// out. A recovery has none for them, so that they do not keep the others: their stores go to the sideline.
CommandResult RunCommand(const Command& command, RegionServerControl& server, const DescriptorOf& descriptor);

}  // namespace vaquita

// server/master/assignment/assignment_commands.h: sends a command of the assignment to a region server.
//
// Threads: any; it returns when the server has answered.
#pragma once

#include <functional>
#include <memory>

#include "absl/status/statusor.h"
#include "server/master/assignment/state_machine/messages.h"

namespace vaquita {

class RegionServerControl;
struct TableDescriptor;

using DescriptorOf = std::function<absl::StatusOr<std::shared_ptr<const TableDescriptor>>(const TableName&)>;

assignment::CommandResult RunCommand(const assignment::Command& command, RegionServerControl& server,
                                     const DescriptorOf& descriptor);

}  // namespace vaquita

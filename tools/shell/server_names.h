// tools/shell/server_names.h: the region servers that a command's arguments name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/cluster_status.h"
#include "tools/shell/command.h"

namespace vaquita::shell {

std::vector<std::string> LiveServers(const ClusterStatus& status);
// Returns the live servers that "host,port,startcode", "host,port" or "host" names. A whole name may be that of one
// that is not live.
std::vector<std::string> MatchingServers(const std::vector<std::string>& live, const std::string& text);
// Returns the first of them.
std::optional<std::string> FindServer(const std::vector<std::string>& live, const std::string& text);

absl::Status NoLiveServer(const std::string& name);
// Returns the live servers that the arguments from `from` on name, or all; an error for one that is not live.
absl::StatusOr<std::vector<std::string>> ChosenServers(Context& context, const Arguments& arguments, size_t from);

}  // namespace vaquita::shell

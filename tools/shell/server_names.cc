#include "tools/shell/server_names.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status.h"

namespace vaquita::shell {

std::vector<std::string> LiveServers(const ClusterStatus& status) {
  std::vector<std::string> names;
  for (const ServerMetrics& server : status.servers) names.push_back(server.server_name);
  return names;
}

std::vector<std::string> MatchingServers(const std::vector<std::string>& live, const std::string& text) {
  const std::vector<std::string> wanted = absl::StrSplit(text, ',');
  if (wanted.size() == 3) return {text};
  std::vector<std::string> found;
  for (const std::string& name : live) {
    const std::vector<std::string> parts = absl::StrSplit(name, ',');
    const bool same_port = wanted.size() == 1 || (parts.size() > 1 && parts[1] == wanted[1]);
    if (parts[0] == wanted[0] && same_port) found.push_back(name);
  }
  return found;
}

std::optional<std::string> FindServer(const std::vector<std::string>& live, const std::string& text) {
  const std::vector<std::string> found = MatchingServers(live, text);
  return found.empty() ? std::nullopt : std::optional(found.front());
}

absl::Status NoLiveServer(const std::string& name) {
  return ShellError(absl::StrCat("There is no live server ", name, ". list_liveservers names them"));
}

absl::StatusOr<std::vector<std::string>> ChosenServers(Context& context, const Arguments& arguments, size_t from) {
  VAQUITA_ASSIGN_OR_RETURN(const ClusterStatus status, context.admin.GetClusterStatus());
  const std::vector<std::string> live = LiveServers(status);
  const Arguments named = Flatten(arguments, from);
  if (named.empty()) return live;
  std::vector<std::string> servers;
  for (const Value& name : named) {
    const std::vector<std::string> found = MatchingServers(live, name.ToText());
    if (found.empty() || std::find(live.begin(), live.end(), found[0]) == live.end()) {
      return NoLiveServer(name.ToText());
    }
    servers.insert(servers.end(), found.begin(), found.end());
  }
  return servers;
}

}  // namespace vaquita::shell

#include "model/replication_peer.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace vaquita {
namespace {

absl::Status Refused(const std::string& why) { return Error(ErrorKind::kDoNotRetryIO, why); }

// ZKConfig.validateClusterKey: "host,host:port:/znode", where hosts may have ports of their own.
bool IsClusterKey(const std::string& key) {
  const size_t znode = key.rfind(':');
  if (znode == key.npos || znode == 0 || znode + 1 == key.size() || key[znode + 1] != '/') return false;
  const size_t port = key.rfind(':', znode - 1);
  if (port == key.npos || port == 0) return false;
  const std::string number = key.substr(port + 1, znode - port - 1);
  return !number.empty() && number.find_first_not_of("0123456789") == number.npos;
}

absl::Status CheckConflicts(const std::set<std::string>& namespaces,
                            const ReplicationPeerConfig::TableFamilies& tables) {
  for (const auto& [table, families] : tables) {
    if (!namespaces.contains(table.ns)) continue;
    return Refused(
        absl::StrCat("Table-cfs ", table.ToString(), " is conflict with namespaces ", table.ns, " in peer config"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckPeerConfig(const ReplicationPeerConfig& config) {
  if (!absl::StripAsciiWhitespace(config.endpoint).empty() &&
      !absl::StartsWith(config.endpoint, "org.apache.hadoop.hbase.replication.")) {
    return Refused("Can not instantiate configured replication endpoint class=" + config.endpoint);
  }
  if (!IsClusterKey(config.cluster_key)) return Refused("Invalid cluster key: " + config.cluster_key);
  if (config.replicate_all) {
    if (!config.namespaces.empty() || !config.tables.empty()) {
      return Refused("Need clean namespaces or table-cfs config firstly when you want replicate all cluster");
    }
    return CheckConflicts(config.excluded_namespaces, config.excluded_tables);
  }
  if (!config.excluded_namespaces.empty() || !config.excluded_tables.empty()) {
    return Refused(
        "Need clean exclude-namespaces or exclude-table-cfs config firstly when replicate_all flag is false");
  }
  return CheckConflicts(config.namespaces, config.tables);
}

absl::StatusOr<ReplicationPeerConfig> UpdatedPeerConfig(const std::string& id, const ReplicationPeerConfig& before,
                                                        const ReplicationPeerConfig& update) {
  if (update.cluster_key != before.cluster_key) {
    return Refused(absl::StrCat("Changing the cluster key on an existing peer is not allowed. Existing key '",
                                before.cluster_key, "' for peer ", id, " does not match new key '", update.cluster_key,
                                "'"));
  }
  if (update.endpoint != before.endpoint) {
    return Refused(absl::StrCat("Changing the replication endpoint implementation class on an existing peer is not ",
                                "allowed. Existing class '", before.endpoint, "' for peer ", id,
                                " does not match new class '", update.endpoint, "'"));
  }
  ReplicationPeerConfig after = update;
  after.configuration.insert(before.configuration.begin(), before.configuration.end());  // keeps the update's values
  return after;
}

}  // namespace vaquita

#include "server/frontend/zookeeper/hbase_znodes.h"

#include <map>
#include <set>

#include "absl/time/time.h"
#include "base/status.h"
#include "hbase/ClusterStatus.pb.h"
#include "hbase/HBase.pb.h"
#include "hbase/ZooKeeper.pb.h"
#include "model/server_name.h"
#include "proto/hbase/pb.h"
#include "proto/hbase/schema_codec.h"
#include "proto/zookeeper/jute.h"
#include "server/frontend/zookeeper/znode_tree.h"
#include "server/master/master.h"

namespace vaquita::zookeeper {
namespace {

constexpr std::string_view kRoot = "/hbase";
constexpr std::string_view kMetaReplica = "/hbase/meta-region-server-";  // and its number
constexpr std::string_view kTables = "/hbase/table";
constexpr std::string_view kServers = "/hbase/rs";
constexpr std::string_view kBackupMasters = "/hbase/backup-masters";
constexpr std::string_view kWriter =
    "vaquita";  // HBase: the process that wrote the node; gohbase wants at least a byte

std::string NodeData(const google::protobuf::MessageLite& message) {
  std::string data = "\xff";
  JuteWriter(&data).Buffer(kWriter);  // its length in four bytes, as HBase's metadata too
  return data + "PBUF" + message.SerializeAsString();
}

absl::StatusOr<pb::ServerName> ParseServerName(const std::string& text) {
  if (!ServerName::Parse(text).ok()) {
    return absl::InvalidArgumentError("'" + text + "' is not a server's name: host,port,startcode");
  }
  pb::ServerName name;
  EncodeServerName(text, &name);
  return name;
}

// As Java prints a date.
std::string DateText(int64_t time_ms) {
  return absl::FormatTime("%a %b %d %H:%M:%S UTC %Y", absl::FromUnixMillis(time_ms), absl::UTCTimeZone());
}

std::string TableData(TableState state) {
  pb::DeprecatedTableState message;
  switch (state) {
    case TableState::kEnabled:
      message.set_state(pb::DeprecatedTableState::ENABLED);
      break;
    case TableState::kDisabled:
      message.set_state(pb::DeprecatedTableState::DISABLED);
      break;
    case TableState::kEnabling:
      message.set_state(pb::DeprecatedTableState::ENABLING);
      break;
    case TableState::kDisabling:
      message.set_state(pb::DeprecatedTableState::DISABLING);
      break;
  }
  return NodeData(message);
}

void RefreshTable(Master* master, const std::string& name, ZnodeTree* tree) {
  const std::string path = std::string(kTables) + "/" + name;
  if (name == kMetaTableName.ToString()) {
    tree->Set(path, TableData(TableState::kEnabled));
    return;
  }
  const absl::StatusOr<TableName> table = TableName::Parse(name);
  const absl::StatusOr<TableState> state = table.ok() ? master->GetTableState(*table) : table.status();
  if (state.ok()) {
    tree->Set(path, TableData(*state));
  } else {
    tree->Remove(path);
  }
}

std::string MasterData(const pb::ServerName& name) {
  pb::Master master;
  *master.mutable_master() = name;
  master.set_rpc_version(0);
  master.set_info_port(0);
  return NodeData(master);
}

std::string MetaData(const pb::ServerName& name) {
  pb::MetaRegionServer meta;
  *meta.mutable_server() = name;
  meta.set_rpc_version(0);
  meta.set_state(pb::RegionState::OPEN);
  return NodeData(meta);
}

// Gives hbase:meta's replicas a node each. Each read of /hbase asks for that, so it looks at little if nothing changed.
void RefreshMetaReplicas(const ClusterView& cluster, ZnodeTree* tree) {
  const auto server = ParseServerName(cluster.meta_server);
  if (!server.ok()) return;
  const auto path = [](int32_t id) { return std::string(kMetaReplica) + std::to_string(id); };
  const std::string data = MetaData(*server);
  // Numbers have no gaps, and the last one is set last.
  const Znode* const last = tree->Find(path(cluster.meta_replicas - 1));
  if (last == nullptr || last->data != data) {
    for (int32_t id = 1; id < cluster.meta_replicas; ++id) tree->Set(path(id), data);
  }
  for (int32_t id = cluster.meta_replicas; tree->Find(path(id)) != nullptr; ++id) tree->Remove(path(id));
}

bool IsAtOrBelow(std::string_view path, std::string_view node) {
  return path.starts_with(node) && (path.size() == node.size() || path[node.size()] == '/');
}

// Gives the node at `path` the children of these names, with these data, and no others.
void SetChildren(std::string_view path, const std::map<std::string, std::string>& nodes, ZnodeTree* tree) {
  const std::string below = std::string(path) + "/";
  if (const Znode* node = tree->Find(path)) {
    const auto children = node->children;  // Remove changes the node's own
    for (const std::string& name : children) {
      if (!nodes.contains(name)) tree->Remove(below + name);
    }
  }
  for (const auto& [name, data] : nodes) tree->Set(below + name, data);
}

}  // namespace

absl::Status AddClusterNodes(const ClusterView& cluster, int64_t start_time_ms, ZooKeeperServer* server) {
  VAQUITA_ASSIGN_OR_RETURN(const pb::ServerName master_name, ParseServerName(cluster.master));
  VAQUITA_ASSIGN_OR_RETURN(const pb::ServerName meta_server_name, ParseServerName(cluster.meta_server));

  pb::ClusterId id;
  id.set_cluster_id(cluster.cluster_id);
  server->SetNode("/hbase/hbaseid", NodeData(id));

  pb::ClusterUp running;
  running.set_start_date(DateText(start_time_ms));
  server->SetNode("/hbase/running", NodeData(running));

  server->SetNode("/hbase/meta-region-server", MetaData(meta_server_name));

  for (const std::string_view name : {"backup-masters", "draining", "flush-table-proc", "namespace", "online-snapshot",
                                      "replication", "rs", "splitWAL", "switch", "table", "table-lock"}) {
    server->SetNode("/hbase/" + std::string(name), "");
  }

  // Last: who waits for the master finds the rest.
  server->SetNode("/hbase/master", MasterData(master_name));
  return absl::OkStatus();
}

void RefreshServerNodes(const ClusterViewSource& cluster_view, std::string_view path, ZnodeTree* tree) {
  if (path == kRoot || path.starts_with(kMetaReplica)) return RefreshMetaReplicas(cluster_view(), tree);
  const bool of_servers = IsAtOrBelow(path, kServers);
  if (!of_servers && !IsAtOrBelow(path, kBackupMasters)) return;
  const ClusterView cluster = cluster_view();
  std::map<std::string, std::string> nodes;
  if (of_servers) {
    pb::RegionServerInfo info;
    info.set_infoport(0);  // it has no web page
    for (const std::string& server : cluster.region_servers) nodes[server] = NodeData(info);
  } else {
    for (const std::string& backup : cluster.backup_masters) {
      if (const auto name = ParseServerName(backup); name.ok()) nodes[backup] = MasterData(*name);
    }
  }
  SetChildren(of_servers ? kServers : kBackupMasters, nodes, tree);
}

std::string_view MirroredNode(std::string_view path) {
  if (path == kRoot || path.starts_with(kMetaReplica)) return kRoot;
  if (IsAtOrBelow(path, kTables)) return path;
  for (const std::string_view node : {kServers, kBackupMasters}) {
    if (IsAtOrBelow(path, node)) return node;
  }
  return "";
}

void RefreshTableNodes(Master* master, std::string_view path, ZnodeTree* tree) {
  if (!path.starts_with(kTables)) return;
  const std::string_view below = path.substr(kTables.size());
  if (below.starts_with('/')) {
    RefreshTable(master, std::string(below.substr(1)), tree);
    return;
  }
  if (!below.empty()) return;  // "/hbase/table-lock"
  std::set<std::string> names = {kMetaTableName.ToString()};
  for (const bool system : {false, true}) {
    for (const TableName& table : master->ListTables(system)) names.insert(table.ToString());
  }
  if (const Znode* node = tree->Find(kTables)) names.insert(node->children.begin(), node->children.end());  // gone ones
  for (const std::string& name : names) RefreshTable(master, name, tree);
}

}  // namespace vaquita::zookeeper

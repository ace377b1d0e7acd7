// Replication peers: they are kept as HBase keeps them, and nothing is replicated.
#include <map>
#include <memory>
#include <set>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/java_regex.h"
#include "base/status.h"
#include "hbase/Master.pb.h"
#include "hbase/Replication.pb.h"
#include "server/frontend/hbase/master_service_methods.h"

namespace vaquita::hbase {
namespace {

using Config = pb::ReplicationPeer;

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

template <typename Namespaces, typename Tables>
absl::Status CheckConflicts(const Namespaces& namespaces, const Tables& tables) {
  const std::set<std::string> names(namespaces.begin(), namespaces.end());
  for (const pb::TableCF& table : tables) {
    const std::string& ns = table.table_name().namespace_();
    if (!names.contains(ns)) continue;
    const std::string name =
        ns == "default" ? table.table_name().qualifier() : absl::StrCat(ns, ":", table.table_name().qualifier());
    return Refused(absl::StrCat("Table-cfs ", name, " is conflict with namespaces ", ns, " in peer config"));
  }
  return absl::OkStatus();
}

// ReplicationPeerManager.checkPeerConfig, but for the look at the other cluster, which is not asked for anything.
absl::Status CheckConfig(const Config& config) {
  if (!absl::StripAsciiWhitespace(config.replicationendpointimpl()).empty() &&
      !absl::StartsWith(config.replicationendpointimpl(), "org.apache.hadoop.hbase.replication.")) {
    return Refused("Can not instantiate configured replication endpoint class=" + config.replicationendpointimpl());
  }
  if (!IsClusterKey(config.clusterkey())) return Refused("Invalid cluster key: " + config.clusterkey());
  if (config.replicate_all()) {
    if (config.namespaces_size() > 0 || config.table_cfs_size() > 0) {
      return Refused("Need clean namespaces or table-cfs config firstly when you want replicate all cluster");
    }
    return CheckConflicts(config.exclude_namespaces(), config.exclude_table_cfs());
  }
  if (config.exclude_namespaces_size() > 0 || config.exclude_table_cfs_size() > 0) {
    return Refused(
        "Need clean exclude-namespaces or exclude-table-cfs config firstly when replicate_all flag is false");
  }
  return CheckConflicts(config.namespaces(), config.table_cfs());
}

absl::StatusOr<Config> ParseConfig(const std::string& bytes) {
  Config config;
  if (!ParseMessage(bytes, &config)) return Error(ErrorKind::kDeserialization, "a replication peer cannot be read");
  return config;
}

// A client that leaves the flag away means all tables if it names none (ReplicationPeerConfigUtil.convert).
Config Complete(Config config) {
  if (!config.has_replicate_all()) {
    config.set_replicate_all(config.namespaces_size() == 0 && config.table_cfs_size() == 0);
  }
  return config;
}

// Sets what `update` sets, and keeps the configuration that it does not name.
absl::Status UpdateConfig(const std::string& id, const Config& update, ReplicationPeers::Peer* peer) {
  VAQUITA_ASSIGN_OR_RETURN(const Config before, ParseConfig(peer->config));
  if (update.clusterkey() != before.clusterkey()) {
    return Refused(absl::StrCat("Changing the cluster key on an existing peer is not allowed. Existing key '",
                                before.clusterkey(), "' for peer ", id, " does not match new key '",
                                update.clusterkey(), "'"));
  }
  if (update.replicationendpointimpl() != before.replicationendpointimpl()) {
    return Refused(absl::StrCat("Changing the replication endpoint implementation class on an existing peer is not ",
                                "allowed. Existing class '", before.replicationendpointimpl(), "' for peer ", id,
                                " does not match new class '", update.replicationendpointimpl(), "'"));
  }
  std::map<std::string, std::string> configuration;
  for (const Config* config : {&before, &update}) {
    for (const auto& pair : config->configuration()) configuration[pair.name()] = pair.value();
  }
  Config after = update;
  after.clear_configuration();
  for (const auto& [name, value] : configuration) {
    auto* pair = after.add_configuration();
    pair->set_name(name);
    pair->set_value(value);
  }
  peer->config = after.SerializeAsString();
  return absl::OkStatus();
}

template <typename Response>
absl::Status Start(const ServiceCall& call, const std::string& procedure, const std::string& id,
                   const ReplicationPeers::Edit& change, Response* response) {
  VAQUITA_ASSIGN_OR_RETURN(const int64_t started,
                           call.master->EditReplicationPeersAsync(procedure + " peerId=" + id, change));
  response->set_proc_id(static_cast<uint64_t>(started));
  return absl::OkStatus();
}

absl::Status AddPeer(const ServiceCall& call, const pb::AddReplicationPeerRequest& request,
                     pb::AddReplicationPeerResponse* response) {
  const std::string& id = request.peer_id();
  const Config config = Complete(request.peer_config());
  const bool enabled = request.peer_state().state() == pb::ReplicationState::ENABLED;
  const auto add = [id, config, enabled](ReplicationPeers* peers) -> absl::Status {
    if (id.find('-') == id.npos) VAQUITA_RETURN_IF_ERROR(CheckConfig(config));
    return peers->Add(id, {.enabled = enabled, .config = config.SerializeAsString()});
  };
  return Start(call, "AddPeerProcedure", id, add, response);
}

absl::Status RemovePeer(const ServiceCall& call, const pb::RemoveReplicationPeerRequest& request,
                        pb::RemoveReplicationPeerResponse* response) {
  const auto remove = [id = request.peer_id()](ReplicationPeers* peers) { return peers->Remove(id); };
  return Start(call, "RemovePeerProcedure", request.peer_id(), remove, response);
}

// The change that enables or disables a peer.
ReplicationPeers::Edit Switch(const std::string& id, bool on) {
  return [id, on](ReplicationPeers* peers) {
    return peers->Change(id, [&](ReplicationPeers::Peer* peer) {
      if (peer->enabled == on) {
        return Refused(absl::StrCat("Replication peer ", id, " has already been ", on ? "enabled" : "disabled"));
      }
      peer->enabled = on;
      return absl::OkStatus();
    });
  };
}

absl::Status EnablePeer(const ServiceCall& call, const pb::EnableReplicationPeerRequest& request,
                        pb::EnableReplicationPeerResponse* response) {
  return Start(call, "EnablePeerProcedure", request.peer_id(), Switch(request.peer_id(), true), response);
}

absl::Status DisablePeer(const ServiceCall& call, const pb::DisableReplicationPeerRequest& request,
                         pb::DisableReplicationPeerResponse* response) {
  return Start(call, "DisablePeerProcedure", request.peer_id(), Switch(request.peer_id(), false), response);
}

absl::Status UpdatePeer(const ServiceCall& call, const pb::UpdateReplicationPeerConfigRequest& request,
                        pb::UpdateReplicationPeerConfigResponse* response) {
  const auto update = [id = request.peer_id(), config = Complete(request.peer_config())](ReplicationPeers* peers) {
    VAQUITA_RETURN_IF_ERROR(CheckConfig(config));
    return peers->Change(id, [&](ReplicationPeers::Peer* peer) { return UpdateConfig(id, config, peer); });
  };
  return Start(call, "UpdatePeerConfigProcedure", request.peer_id(), update, response);
}

absl::Status GetPeerConfig(const ServiceCall& call, const pb::GetReplicationPeerConfigRequest& request,
                           pb::GetReplicationPeerConfigResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const auto peer, call.master->replication_peers().Get(request.peer_id()));
  response->set_peer_id(request.peer_id());
  VAQUITA_ASSIGN_OR_RETURN(*response->mutable_peer_config(), ParseConfig(peer.config));
  return absl::OkStatus();
}

absl::Status IsPeerEnabled(const ServiceCall& call, const pb::GetReplicationPeerStateRequest& request,
                           pb::GetReplicationPeerStateResponse* response) {
  const auto peer = call.master->replication_peers().Get(request.peer_id());
  if (!peer.ok()) {
    return Error(ErrorKind::kIO, "Replication Peer of " + request.peer_id() + " does not exist.");
  }
  response->set_is_enabled(peer->enabled);
  return absl::OkStatus();
}

absl::Status ListPeers(const ServiceCall& call, const pb::ListReplicationPeersRequest& request,
                       pb::ListReplicationPeersResponse* response) {
  std::unique_ptr<JavaRegex> pattern;
  if (request.has_regex()) {
    VAQUITA_ASSIGN_OR_RETURN(pattern, JavaRegex::CompileForNames(request.regex()));
  }
  for (const auto& [id, peer] : call.master->replication_peers().List()) {
    if (pattern != nullptr) {
      VAQUITA_ASSIGN_OR_RETURN(const bool matches, pattern->IsFoundIn(id));
      if (!matches) continue;
    }
    pb::ReplicationPeerDescription* out = response->add_peer_desc();
    out->set_id(id);
    out->mutable_state()->set_state(peer.enabled ? pb::ReplicationState::ENABLED : pb::ReplicationState::DISABLED);
    VAQUITA_ASSIGN_OR_RETURN(*out->mutable_config(), ParseConfig(peer.config));
  }
  return absl::OkStatus();
}

// Each change ends at once.
absl::Status GetPeerModificationProcedures(const ServiceCall&,
                                           const pb::GetReplicationPeerModificationProceduresRequest&,
                                           pb::GetReplicationPeerModificationProceduresResponse*) {
  return absl::OkStatus();
}

}  // namespace

void AddReplicationMethods(ServiceMethods* methods) {
  using enum ServiceMethods::Pace;
  methods->Add("AddReplicationPeer", kWaits, &AddPeer);
  methods->Add("RemoveReplicationPeer", kWaits, &RemovePeer);
  methods->Add("EnableReplicationPeer", kWaits, &EnablePeer);
  methods->Add("DisableReplicationPeer", kWaits, &DisablePeer);
  methods->Add("UpdateReplicationPeerConfig", kWaits, &UpdatePeer);
  methods->Add("GetReplicationPeerConfig", kQuick, &GetPeerConfig);
  methods->Add("IsReplicationPeerEnabled", kQuick, &IsPeerEnabled);
  methods->Add("ListReplicationPeers", kQuick, &ListPeers);
  methods->Add("GetReplicationPeerModificationProcedures", kQuick, &GetPeerModificationProcedures);
}

}  // namespace vaquita::hbase

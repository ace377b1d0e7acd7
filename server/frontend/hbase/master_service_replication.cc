// Replication peers: they are kept as HBase keeps them, and nothing is replicated.
#include <optional>

#include "base/status.h"
#include "hbase/Master.pb.h"
#include "hbase/Replication.pb.h"
#include "model/replication_peer.h"
#include "proto/hbase/replication_codec.h"
#include "server/frontend/hbase/master_service_methods.h"
#include "server/frontend/hbase/name_pattern.h"

namespace vaquita::hbase {
namespace {

template <typename Response>
absl::Status Start(const ServiceCall& call, const ReplicationPeerEdit& edit, Response* response) {
  VAQUITA_ASSIGN_OR_RETURN(const int64_t started, call.master->EditReplicationPeersAsync(edit));
  response->set_proc_id(static_cast<uint64_t>(started));
  return absl::OkStatus();
}

absl::Status AddPeer(const ServiceCall& call, const pb::AddReplicationPeerRequest& request,
                     pb::AddReplicationPeerResponse* response) {
  ReplicationPeer peer{
      .id = request.peer_id(), .enabled = request.peer_state().state() == pb::ReplicationState::ENABLED, .config = {}};
  VAQUITA_ASSIGN_OR_RETURN(peer.config, DecodePeerConfig(request.peer_config()));
  return Start(call, ReplicationPeerEdit::Add(peer), response);
}

absl::Status RemovePeer(const ServiceCall& call, const pb::RemoveReplicationPeerRequest& request,
                        pb::RemoveReplicationPeerResponse* response) {
  return Start(call, ReplicationPeerEdit::Remove(request.peer_id()), response);
}

absl::Status EnablePeer(const ServiceCall& call, const pb::EnableReplicationPeerRequest& request,
                        pb::EnableReplicationPeerResponse* response) {
  return Start(call, ReplicationPeerEdit::Switch(request.peer_id(), true), response);
}

absl::Status DisablePeer(const ServiceCall& call, const pb::DisableReplicationPeerRequest& request,
                         pb::DisableReplicationPeerResponse* response) {
  return Start(call, ReplicationPeerEdit::Switch(request.peer_id(), false), response);
}

absl::Status UpdatePeer(const ServiceCall& call, const pb::UpdateReplicationPeerConfigRequest& request,
                        pb::UpdateReplicationPeerConfigResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const ReplicationPeerConfig config, DecodePeerConfig(request.peer_config()));
  return Start(call, ReplicationPeerEdit::Update(request.peer_id(), config), response);
}

absl::Status GetPeerConfig(const ServiceCall& call, const pb::GetReplicationPeerConfigRequest& request,
                           pb::GetReplicationPeerConfigResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const ReplicationPeer peer, call.master->replication_peers().Get(request.peer_id()));
  response->set_peer_id(request.peer_id());
  EncodePeerConfig(peer.config, response->mutable_peer_config());
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
  std::optional<NamePattern> pattern;
  if (request.has_regex()) {
    VAQUITA_ASSIGN_OR_RETURN(pattern, NamePattern::Compile(call.rpc.context, request.regex()));
  }
  for (const auto& [id, peer] : call.master->replication_peers().List()) {
    if (pattern.has_value()) {
      VAQUITA_ASSIGN_OR_RETURN(const bool matches, pattern->Matches(id));
      if (!matches) continue;
    }
    EncodePeer(peer, response->add_peer_desc());
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

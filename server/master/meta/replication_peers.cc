#include "server/master/meta/replication_peers.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/log.h"
#include "base/status.h"
#include "proto/hbase/replication_codec.h"

namespace vaquita {
namespace {

absl::Status NoSuchPeer(const std::string& id) { return Error(ErrorKind::kReplicationPeerNotFound, id); }

MasterStore::ReplicationPeer ToStored(const ReplicationPeer& peer) {
  pb::ReplicationPeer message;
  EncodePeerConfig(peer.config, &message);
  return {.enabled = peer.enabled, .config = message.SerializeAsString()};
}

absl::StatusOr<ReplicationPeer> FromStored(const std::string& id, const MasterStore::ReplicationPeer& stored) {
  pb::ReplicationPeer message;
  if (!ParseMessage(stored.config, &message)) {
    return Error(ErrorKind::kDeserialization, "replication peer " + id + " cannot be read");
  }
  VAQUITA_ASSIGN_OR_RETURN(ReplicationPeerConfig config, DecodePeerConfig(message));
  return ReplicationPeer{.id = id, .enabled = stored.enabled, .config = std::move(config)};
}

std::string Description(const char* procedure, const std::string& id) {
  return absl::StrCat(procedure, " peerId=", id);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ReplicationPeers>> ReplicationPeers::Load(MasterStore* store) {
  std::unique_ptr<ReplicationPeers> peers(new ReplicationPeers(store));
  VAQUITA_ASSIGN_OR_RETURN(const auto all, store->LoadReplicationPeers());
  for (const auto& [id, stored] : all) {
    auto peer = FromStored(id, stored);
    if (peer.ok()) {
      peers->peers_.emplace(id, *std::move(peer));
    } else {  // nothing is replicated to it, so the master does without
      spdlog::error("replication peer {} is passed over: {}", id, peer.status().ToString());
    }
  }
  return peers;
}

ReplicationPeers::Peers ReplicationPeers::List() const {
  std::lock_guard lock(mutex_);
  return peers_;
}

absl::StatusOr<ReplicationPeer> ReplicationPeers::Get(const std::string& id) const {
  std::lock_guard lock(mutex_);
  const auto found = peers_.find(id);
  if (found == peers_.end()) return NoSuchPeer(id);
  return found->second;
}

absl::Status ReplicationPeers::Add(const ReplicationPeer& peer) {
  const std::string& id = peer.id;
  // HBase's queues of a dead server are named "peer-server-...".
  if (id.find('-') != id.npos) return Error(ErrorKind::kDoNotRetryIO, "Found invalid peer name: " + id);
  VAQUITA_RETURN_IF_ERROR(CheckPeerConfig(peer.config));
  std::lock_guard lock(mutex_);
  if (peers_.contains(id)) return Error(ErrorKind::kDoNotRetryIO, "Replication peer " + id + " already exists");
  VAQUITA_RETURN_IF_ERROR(store_->PutReplicationPeer(id, ToStored(peer)));
  peers_[id] = peer;
  spdlog::warn("replication peer {} is kept, and nothing is replicated to it: this server has no replication", id);
  return absl::OkStatus();
}

absl::Status ReplicationPeers::Remove(const std::string& id) {
  std::lock_guard lock(mutex_);
  if (!peers_.contains(id)) return NoSuchPeer(id);
  VAQUITA_RETURN_IF_ERROR(store_->DeleteReplicationPeer(id));
  peers_.erase(id);
  return absl::OkStatus();
}

absl::Status ReplicationPeers::Switch(const std::string& id, bool on) {
  return Change(id, [&](ReplicationPeer* peer) {
    if (peer->enabled == on) {
      return Error(ErrorKind::kDoNotRetryIO,
                   absl::StrCat("Replication peer ", id, " has already been ", on ? "enabled" : "disabled"));
    }
    peer->enabled = on;
    return absl::OkStatus();
  });
}

absl::Status ReplicationPeers::Update(const std::string& id, const ReplicationPeerConfig& config) {
  VAQUITA_RETURN_IF_ERROR(CheckPeerConfig(config));
  return Change(id, [&](ReplicationPeer* peer) -> absl::Status {
    VAQUITA_ASSIGN_OR_RETURN(peer->config, UpdatedPeerConfig(id, peer->config, config));
    return absl::OkStatus();
  });
}

absl::Status ReplicationPeers::Change(const std::string& id,
                                      const std::function<absl::Status(ReplicationPeer*)>& change) {
  std::lock_guard lock(mutex_);
  const auto found = peers_.find(id);
  if (found == peers_.end()) return NoSuchPeer(id);
  ReplicationPeer changed = found->second;
  VAQUITA_RETURN_IF_ERROR(change(&changed));
  VAQUITA_RETURN_IF_ERROR(store_->PutReplicationPeer(id, ToStored(changed)));
  found->second = std::move(changed);
  return absl::OkStatus();
}

ReplicationPeerEdit ReplicationPeerEdit::Add(const ReplicationPeer& peer) {
  return {Description("AddPeerProcedure", peer.id), [peer](ReplicationPeers* peers) { return peers->Add(peer); }};
}

ReplicationPeerEdit ReplicationPeerEdit::Remove(const std::string& id) {
  return {Description("RemovePeerProcedure", id), [id](ReplicationPeers* peers) { return peers->Remove(id); }};
}

ReplicationPeerEdit ReplicationPeerEdit::Switch(const std::string& id, bool on) {
  return {Description(on ? "EnablePeerProcedure" : "DisablePeerProcedure", id),
          [id, on](ReplicationPeers* peers) { return peers->Switch(id, on); }};
}

ReplicationPeerEdit ReplicationPeerEdit::Update(const std::string& id, const ReplicationPeerConfig& config) {
  return {Description("UpdatePeerConfigProcedure", id),
          [id, config](ReplicationPeers* peers) { return peers->Update(id, config); }};
}

}  // namespace vaquita

#include "server/master/meta/replication_peers.h"

#include <utility>

#include "base/log.h"
#include "base/status.h"

namespace vaquita {
namespace {

absl::Status NoSuchPeer(const std::string& id) { return Error(ErrorKind::kReplicationPeerNotFound, id); }

}  // namespace

absl::StatusOr<std::unique_ptr<ReplicationPeers>> ReplicationPeers::Load(MasterStore* store) {
  std::unique_ptr<ReplicationPeers> peers(new ReplicationPeers(store));
  VAQUITA_ASSIGN_OR_RETURN(peers->peers_, store->LoadReplicationPeers());
  return peers;
}

ReplicationPeers::Peers ReplicationPeers::List() const {
  std::lock_guard lock(mutex_);
  return peers_;
}

absl::StatusOr<ReplicationPeers::Peer> ReplicationPeers::Get(const std::string& id) const {
  std::lock_guard lock(mutex_);
  const auto found = peers_.find(id);
  if (found == peers_.end()) return NoSuchPeer(id);
  return found->second;
}

absl::Status ReplicationPeers::Add(const std::string& id, const Peer& peer) {
  // HBase's queues of a dead server are named "peer-server-...".
  if (id.find('-') != id.npos) return Error(ErrorKind::kDoNotRetryIO, "Found invalid peer name: " + id);
  std::lock_guard lock(mutex_);
  if (peers_.contains(id)) return Error(ErrorKind::kDoNotRetryIO, "Replication peer " + id + " already exists");
  VAQUITA_RETURN_IF_ERROR(store_->PutReplicationPeer(id, peer));
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

absl::Status ReplicationPeers::Change(const std::string& id, const std::function<absl::Status(Peer*)>& change) {
  std::lock_guard lock(mutex_);
  const auto found = peers_.find(id);
  if (found == peers_.end()) return NoSuchPeer(id);
  Peer changed = found->second;
  VAQUITA_RETURN_IF_ERROR(change(&changed));
  VAQUITA_RETURN_IF_ERROR(store_->PutReplicationPeer(id, changed));
  found->second = std::move(changed);
  return absl::OkStatus();
}

}  // namespace vaquita

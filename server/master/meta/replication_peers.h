// server/master/meta/replication_peers.h: the replication peers that clients have named. Nothing is replicated to them.
//
// A peer is kept as the message that a client sends of it, in master:store. Threads: any; changes exclude each other.
// Source: ReplicationPeerManager (2.6).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/master/meta/master_store.h"

namespace vaquita {

class ReplicationPeers {
 public:
  using Peer = MasterStore::ReplicationPeer;
  using Peers = std::map<std::string, Peer>;  // by id
  using Edit = std::function<absl::Status(ReplicationPeers*)>;

  // Reads what is there. `store` outlives it.
  static absl::StatusOr<std::unique_ptr<ReplicationPeers>> Load(MasterStore* store);

  Peers List() const;
  absl::StatusOr<Peer> Get(const std::string& id) const;  // kReplicationPeerNotFound
  // kDoNotRetryIO if the id is malformed, or another peer has it.
  absl::Status Add(const std::string& id, const Peer& peer);
  absl::Status Remove(const std::string& id);  // kReplicationPeerNotFound
  // Applies `change` to the peer, unless it returns an error. kReplicationPeerNotFound.
  absl::Status Change(const std::string& id, const std::function<absl::Status(Peer*)>& change);

 private:
  explicit ReplicationPeers(MasterStore* store) : store_(store) {}

  MasterStore* const store_;
  mutable std::mutex mutex_;
  Peers peers_;
};

}  // namespace vaquita

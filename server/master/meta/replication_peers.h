// server/master/meta/replication_peers.h: the replication peers that clients have named. Nothing is replicated to them.
//
// They are kept in master:store, as HBase's messages. Threads: any; changes exclude each other. Source:
// ReplicationPeerManager (2.6).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/replication_peer.h"
#include "server/master/meta/master_store.h"

namespace vaquita {

class ReplicationPeers {
 public:
  using Peers = std::map<std::string, ReplicationPeer>;  // by id

  // Reads what is there. `store` outlives it.
  static absl::StatusOr<std::unique_ptr<ReplicationPeers>> Load(MasterStore* store);

  Peers List() const;
  absl::StatusOr<ReplicationPeer> Get(const std::string& id) const;  // kReplicationPeerNotFound
  // kDoNotRetryIO if the id or the configuration is malformed, or another peer has the id.
  absl::Status Add(const ReplicationPeer& peer);
  // The others return kReplicationPeerNotFound if there is no such peer.
  absl::Status Remove(const std::string& id);
  absl::Status Switch(const std::string& id, bool on);                              // kDoNotRetryIO if it is so already
  absl::Status Update(const std::string& id, const ReplicationPeerConfig& config);  // see UpdatedPeerConfig

 private:
  explicit ReplicationPeers(MasterStore* store) : store_(store) {}
  absl::Status Change(const std::string& id, const std::function<absl::Status(ReplicationPeer*)>& change);

  MasterStore* const store_;
  mutable std::mutex mutex_;
  Peers peers_;
};

// A change of the peers: the name of the procedure that makes it, and the change.
struct ReplicationPeerEdit {
  std::string procedure;
  std::function<absl::Status(ReplicationPeers*)> run;

  static ReplicationPeerEdit Add(const ReplicationPeer& peer);
  static ReplicationPeerEdit Remove(const std::string& id);
  static ReplicationPeerEdit Switch(const std::string& id, bool on);
  static ReplicationPeerEdit Update(const std::string& id, const ReplicationPeerConfig& config);
};

}  // namespace vaquita

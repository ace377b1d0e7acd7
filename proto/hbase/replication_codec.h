// proto/hbase/replication_codec.h: translates replication peers to and from HBase's messages.
//
// Source: ReplicationPeerConfigUtil (2.6). Threads: any.
#pragma once

#include "absl/status/statusor.h"
#include "hbase/Replication.pb.h"
#include "model/replication_peer.h"
#include "proto/hbase/pb.h"

namespace vaquita {

void EncodePeerConfig(const ReplicationPeerConfig& config, pb::ReplicationPeer* out);
// A client that leaves `replicate_all` away means all tables if it names none.
absl::StatusOr<ReplicationPeerConfig> DecodePeerConfig(const pb::ReplicationPeer& config);

void EncodePeer(const ReplicationPeer& peer, pb::ReplicationPeerDescription* out);
absl::StatusOr<ReplicationPeer> DecodePeer(const pb::ReplicationPeerDescription& peer);

}  // namespace vaquita

// proto/hbase/snapshot_codec.h: translates descriptions of snapshots to and from HBase's message.
//
// Clients send them, and each snapshot's folder has one (docs/formats.md). Source: ProtobufUtil.createSnapshotDesc
// (2.6). Threads: any.
#pragma once

#include "absl/status/statusor.h"
#include "hbase/Snapshot.pb.h"
#include "model/snapshot_description.h"
#include "proto/hbase/pb.h"

namespace vaquita {

void EncodeSnapshot(const SnapshotDescription& snapshot, pb::SnapshotDescription* out);
// Returns TableName::Parse's error if the table's name is malformed.
absl::StatusOr<SnapshotDescription> DecodeSnapshot(const pb::SnapshotDescription& snapshot);

}  // namespace vaquita

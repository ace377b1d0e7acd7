// proto/hbase/snapshot_codec.h: descriptions of snapshots <-> HBase's message.
//
// Clients send them, and a snapshot's folder keeps its own (docs/formats.md). Source: ProtobufUtil.createSnapshotDesc
// (2.6). Threads: any.
#pragma once

#include "absl/status/statusor.h"
#include "hbase/Snapshot.pb.h"
#include "model/snapshot_description.h"
#include "proto/hbase/pb.h"

namespace vaquita {

void EncodeSnapshot(const SnapshotDescription& snapshot, pb::SnapshotDescription* out);
// TableName::Parse's errors.
absl::StatusOr<SnapshotDescription> DecodeSnapshot(const pb::SnapshotDescription& snapshot);

}  // namespace vaquita

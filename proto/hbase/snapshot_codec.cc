#include "proto/hbase/snapshot_codec.h"

#include "base/status.h"

namespace vaquita {
namespace {

pb::SnapshotDescription::Type EncodeType(SnapshotType type) {
  switch (type) {
    case SnapshotType::kDisabled:
      return pb::SnapshotDescription::DISABLED;
    case SnapshotType::kFlush:
      return pb::SnapshotDescription::FLUSH;
    case SnapshotType::kSkipFlush:
      break;
  }
  return pb::SnapshotDescription::SKIPFLUSH;
}

SnapshotType DecodeType(pb::SnapshotDescription::Type type) {
  switch (type) {
    case pb::SnapshotDescription::DISABLED:
      return SnapshotType::kDisabled;
    case pb::SnapshotDescription::FLUSH:
      return SnapshotType::kFlush;
    case pb::SnapshotDescription::SKIPFLUSH:
      break;
  }
  return SnapshotType::kSkipFlush;
}

}  // namespace

void EncodeSnapshot(const SnapshotDescription& snapshot, pb::SnapshotDescription* out) {
  out->set_name(snapshot.name);
  if (!snapshot.table.qualifier.empty()) out->set_table(snapshot.table.ToString());
  out->set_creation_time(snapshot.created_ms);
  out->set_type(EncodeType(snapshot.type));
  out->set_version(snapshot.version);
  if (!snapshot.owner.empty()) out->set_owner(snapshot.owner);
  out->set_ttl(snapshot.ttl_s);
  if (snapshot.max_file_bytes > 0) out->set_max_file_size(snapshot.max_file_bytes);
}

absl::StatusOr<SnapshotDescription> DecodeSnapshot(const pb::SnapshotDescription& message) {
  SnapshotDescription snapshot;
  snapshot.name = message.name();
  if (message.has_table()) {
    VAQUITA_ASSIGN_OR_RETURN(snapshot.table, TableName::Parse(message.table()));
  }
  snapshot.type = DecodeType(message.type());
  snapshot.created_ms = message.creation_time();
  snapshot.ttl_s = message.ttl();
  snapshot.max_file_bytes = message.max_file_size();
  if (message.has_version()) snapshot.version = message.version();
  snapshot.owner = message.owner();
  return snapshot;
}

}  // namespace vaquita

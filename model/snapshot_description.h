// model/snapshot_description.h: what a snapshot of a table is, as clients see it.
//
// Source: SnapshotDescription, ClientSnapshotDescriptionUtils, SnapshotDescriptionUtils.isExpiredSnapshot (2.6).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "model/table_name.h"

namespace vaquita {

enum class SnapshotType {
  kDisabled,   // of a disabled table
  kFlush,      // memstores are flushed first
  kSkipFlush,  // what memstores hold is left out
};
std::string_view SnapshotTypeName(SnapshotType type);  // "FLUSH", ...

struct SnapshotDescription {
  std::string name;
  TableName table;  // no qualifier: a request that only names the snapshot
  SnapshotType type = SnapshotType::kFlush;
  int64_t created_ms = 0;
  int64_t ttl_s = 0;           // how long it may be used; 0: for ever
  int64_t max_file_bytes = 0;  // MAX_FILESIZE of the tables made of it, if its table has none; 0: not set
  int32_t version = 2;         // of the layout; HBase's own number
  std::string owner;

  bool Expired(int64_t now_ms) const;
  // "{ ss=name table=t type=FLUSH ttl=0 }", as in HBase's messages.
  std::string ToString() const;

  friend bool operator==(const SnapshotDescription&, const SnapshotDescription&) = default;
};

// The longest TTL that counts; HBase takes a longer one for none.
inline constexpr int64_t kMaxSnapshotTtlSeconds = INT64_MAX / 1000;

// Whether a request may name this snapshot and this table: a snapshot's name is as a table's qualifier, and the table
// is no system table; kIllegalArgument.
absl::Status CheckSnapshotRequest(std::string_view name, const TableName& table);

}  // namespace vaquita

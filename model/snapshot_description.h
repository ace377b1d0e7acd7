// model/snapshot_description.h: a snapshot of a table, as clients see it.
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
  kDisabled,   // the table is disabled
  kFlush,      // memstores are flushed first
  kSkipFlush,  // cells in memstores are left out
};
std::string_view SnapshotTypeName(SnapshotType type);  // "FLUSH", ...

struct SnapshotDescription {
  std::string name;
  TableName table;  // no qualifier: a request that only names the snapshot
  SnapshotType type = SnapshotType::kFlush;
  int64_t created_ms = 0;
  int64_t ttl_s = 0;           // it may be used so long; 0: for ever
  int64_t max_file_bytes = 0;  // MAX_FILESIZE of the tables made of it, if its table has none; 0: not set
  int32_t version = 2;         // HBase's number of the layout
  std::string owner;

  bool Expired(int64_t now_ms) const;
  // "{ ss=name table=t type=FLUSH ttl=0 }", as in HBase's messages.
  std::string ToString() const;

  friend bool operator==(const SnapshotDescription&, const SnapshotDescription&) = default;
};

// The longest TTL that has an effect: HBase ignores a longer one.
inline constexpr int64_t kMaxSnapshotTtlSeconds = INT64_MAX / 1000;

// Checks the snapshot and the table that a request names. Returns kIllegalArgument if the snapshot's name is not legal
// for a table's qualifier, or if the table is a system table.
absl::Status CheckSnapshotRequest(std::string_view name, const TableName& table);

}  // namespace vaquita

// model/region_info.h: a region's identity: its table, its range of rows, its time of creation.
//
// The name is HBase's: "table,startkey,id.encoded." where encoded is the MD5, in hex, of "table,startkey,id".
// hbase:meta's own region is "hbase:meta,,1" with the encoded name 1588230740. A replica's name has its number after
// the id, in four hex digits: "table,startkey,id_0001.encoded.". Source: org.apache.hadoop.hbase.client.RegionInfo,
// MutableRegionInfo (2.6).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "model/cell.h"
#include "model/table_name.h"

namespace vaquita {

struct RegionInfo {
  TableName table;
  std::string start_key;  // inclusive; empty: from the first row
  std::string end_key;    // exclusive; empty: to the last row
  int64_t id = 0;         // when it was made, ms
  bool offline = false;   // a split parent not yet removed
  bool split = false;
  int32_t replica_id = 0;  // 0: the primary

  std::string NameWithoutHash() const;  // "table,startkey,id"
  std::string EncodedName() const;      // 32 hex digits
  std::string Name() const;             // "table,startkey,id.encoded."
  bool ContainsRow(std::string_view row) const { return row >= start_key && (end_key.empty() || row < end_key); }
  bool Overlaps(const RegionInfo& other) const;  // they have rows in common
  RowRange range() const { return {start_key, end_key, true, false}; }

  friend bool operator==(const RegionInfo&, const RegionInfo&) = default;
};

// Returns the region's replica number `id`; the primary for 0 (RegionReplicaUtil.getRegionInfoForReplica).
RegionInfo ReplicaOf(const RegionInfo& region, int32_t id);

// Returns the number of the replica that a full region name names; 0 for a primary's name, and for any other text.
int32_t ReplicaIdInName(std::string_view name);

// Returns "_0001" for replica 1, as it stands in names and in hbase:meta's columns; empty for the primary.
std::string ReplicaSuffix(int32_t id);

// Returns how many bytes the start key of a region of `table` may have. The region's name is its row in hbase:meta, so
// that it may be no longer than a row.
size_t MaxStartKeyLength(const TableName& table);
// Returns kIllegalArgument, which names both lengths, if a region of `table` cannot begin at `start_key`.
absl::Status CheckStartKeyLength(const TableName& table, std::string_view start_key);

// Returns bytes as HBase prints them: printable ASCII except '\\' as it is, all else as \xNN (Bytes.toStringBinary).
std::string ToStringBinary(std::string_view bytes);
// Returns the same for an error's text, of the first `most` bytes alone, with "..." for the others: a client may send
// as many as it likes, and each takes up to four in the text.
std::string ToShortStringBinary(std::string_view bytes, size_t most = 512);
// Reverses ToStringBinary (Bytes.toBytesBinary): \xNN is one byte; any other character stands for itself.
std::string FromStringBinary(std::string_view text);

}  // namespace vaquita

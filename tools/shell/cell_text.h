// tools/shell/cell_text.h: cells as text: "timestamp=2021-01-01T00:00:00.123, value=...".
//
// Source: hbase-shell's hbase/table.rb (2.6): to_string, convert, toLocalDateTime.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "model/cell.h"
#include "model/region_info.h"

namespace vaquita::shell {

// The form in which a command prints cells.
struct CellFormat {
  std::string method = "toStringBinary";             // FORMATTER: for rows, column names and values
  std::map<std::string, std::string> column_method;  // "family:qualifier" -> method of its values
  int64_t max_length = -1;                           // MAXLENGTH: a cell's text is cut there; -1: not at all
  bool is_meta = false;                              // hbase:meta's region infos are printed as text
};

// Converts `bytes` by a method of org.apache.hadoop.hbase.util.Bytes: toInt, toLong, toShort, toFloat, toDouble,
// toBoolean, toString, toStringBinary, toHex; or "c(org.apache.hadoop.hbase.util.Bytes).method".
absl::StatusOr<std::string> ConvertBytes(std::string_view bytes, std::string_view method);

// Returns local time as java.time.LocalDateTime prints it: without seconds and milliseconds if they are 0.
std::string TimestampText(int64_t timestamp_ms);

// Returns local time as Ruby prints it: "2021-01-01 00:00:00 +0000".
std::string TimeText(int64_t time_ms);

// Returns "{ENCODED => ..., NAME => '...', STARTKEY => '...', ENDKEY => '...'}" (MutableRegionInfo.toString).
std::string RegionText(const RegionInfo& region);

// Returns "family:qualifier".
absl::StatusOr<std::string> ColumnText(const Cell& cell, const CellFormat& format);
// Returns "timestamp=..., value=..."; for a delete marker, "timestamp=..., type=DeleteFamily".
absl::StatusOr<std::string> CellText(const Cell& cell, const CellFormat& format);

}  // namespace vaquita::shell

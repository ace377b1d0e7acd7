// model/cell.h: a cell, HBase's unit of data, and the constants that bound it.
//
// Order of cells inside a store: row, then qualifier, ascending bytewise; then timestamp and type, both
// descending, so that the newest version comes first and a delete marker comes before the puts it masks at its
// own timestamp. Over a row's stores, families come in ascending order of their names.
// Source: org.apache.hadoop.hbase.KeyValue.Type, CellComparatorImpl (2.6).
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace vaquita {

enum class CellType : uint8_t {
  kPut = 4,
  kDelete = 8,                // one version of one column
  kDeleteFamilyVersion = 10,  // all columns of the family at exactly one timestamp
  kDeleteColumn = 12,         // all versions of one column at or before a timestamp
  kDeleteFamily = 14,         // all columns of the family at or before a timestamp
};

inline bool IsDelete(CellType type) { return type != CellType::kPut; }

// Returns the type's name in HBase (KeyValue.Type), or null if the number is not a type.
constexpr const char* CellTypeName(CellType type) {
  switch (type) {
    case CellType::kPut:
      return "Put";
    case CellType::kDelete:
      return "Delete";
    case CellType::kDeleteFamilyVersion:
      return "DeleteFamilyVersion";
    case CellType::kDeleteColumn:
      return "DeleteColumn";
    case CellType::kDeleteFamily:
      return "DeleteFamily";
  }
  return nullptr;
}

// Returns whether `code` is a type. Bytes from the disk or from clients may not be.
constexpr bool IsCellType(uint8_t code) { return CellTypeName(static_cast<CellType>(code)) != nullptr; }

// Means "now": the server fills in its time (HConstants.LATEST_TIMESTAMP).
inline constexpr int64_t kLatestTimestamp = std::numeric_limits<int64_t>::max();
inline constexpr int64_t kMaxTimestamp = kLatestTimestamp;
inline constexpr size_t kMaxRowLength = 32767;   // HConstants.MAX_ROW_LENGTH = Short.MAX_VALUE
inline constexpr size_t kMaxFamilyLength = 127;  // Byte.MAX_VALUE
inline constexpr int64_t kNoTtl = -1;

// A half-open range of timestamps, [min_ms, max_ms). The default holds every timestamp.
struct TimeRange {
  int64_t min_ms = 0;
  int64_t max_ms = kMaxTimestamp;

  bool IsAll() const { return min_ms == 0 && max_ms == kMaxTimestamp; }
  // HBase: an end of Long.MAX_VALUE means no end at all, so that kMaxTimestamp itself is inside.
  bool Contains(int64_t t) const { return t >= min_ms && (t < max_ms || max_ms == kMaxTimestamp); }
  friend bool operator==(const TimeRange&, const TimeRange&) = default;
};

// A cell whose bytes belong to another object, which says how long they live.
struct CellView {
  std::string_view row;
  std::string_view family;
  std::string_view qualifier;
  int64_t timestamp_ms = kLatestTimestamp;
  CellType type = CellType::kPut;
  std::string_view value;
  int64_t ttl_ms = kNoTtl;  // the cell's own time to live (HBase's TTL tag), or kNoTtl
};

// A cell that owns its bytes.
struct Cell {
  std::string row;
  std::string family;
  std::string qualifier;
  int64_t timestamp_ms = kLatestTimestamp;
  CellType type = CellType::kPut;
  std::string value;
  int64_t ttl_ms = kNoTtl;

  Cell() = default;
  explicit Cell(const CellView& v)
      : row(v.row),
        family(v.family),
        qualifier(v.qualifier),
        timestamp_ms(v.timestamp_ms),
        type(v.type),
        value(v.value),
        ttl_ms(v.ttl_ms) {}
  CellView view() const { return {row, family, qualifier, timestamp_ms, type, value, ttl_ms}; }
};

// A range of rows, [start, stop) unless the flags say otherwise. An empty start is before every row, an empty stop
// after every row (their flags have no meaning in that case).
struct RowRange {
  std::string start;
  std::string stop;
  bool start_inclusive = true;
  bool stop_inclusive = false;

  bool Contains(std::string_view row) const {
    const bool after_start = start.empty() || row > start || (start_inclusive && row == start);
    const bool before_stop = stop.empty() || row < stop || (stop_inclusive && row == stop);
    return after_start && before_stop;
  }
  friend bool operator==(const RowRange&, const RowRange&) = default;
};

}  // namespace vaquita

// engine/cells/cell_key.h: the key of one cell inside a store, as bytes.
//
// Encoding: row and qualifier are each escaped (0x00 becomes 0x00 0xFF) and ended by 0x00 0x01; then 8 bytes of
// inverted big-endian timestamp, then one byte of inverted type. The family is not part of the key: a store holds one
// family. Invariants: memcmp of two encodings gives HBase's cell order (model/cell.h) for all bytes, 0x00 included;
// parsing an encoding gives the key back. Both run on random keys in cell_key_test.cc. Disk: these bytes outlive a
// release. A change takes a new format number (docs/formats.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "base/big_endian.h"
#include "model/cell.h"

namespace vaquita {

inline constexpr size_t kKeySuffixLength = 9;       // timestamp and type
inline constexpr size_t kPartTerminatorLength = 2;  // so also the length of an empty part

struct CellKey {
  std::string_view row;        // not owned; 1 to 32,767 bytes
  std::string_view qualifier;  // not owned; may be empty
  int64_t timestamp_ms = 0;
  CellType type = CellType::kPut;
};

// Appends the encoding of `key` to `*out`. REQUIRES: the bounds above, checked where a request enters.
void AppendCellKey(const CellKey& key, std::string* out);

// Appends `part` escaped and ended: the prefix that all keys of a row share, or the part of a qualifier.
void AppendEscaped(std::string_view part, std::string* out);

// Return the prefix that all cells of `row` share, or all cells of one of its columns. Seeking to it finds the first of
// them.
std::string RowPrefix(std::string_view row);
std::string ColumnPrefix(std::string_view row, std::string_view qualifier);
// Returns the first key after all cells of `row`.
std::string AfterRow(std::string_view row);

// Return the bounds of the keys in `range`, [FirstKey, EndKey); empty means unbounded.
std::string FirstKey(const RowRange& range);
std::string EndKey(const RowRange& range);

// The lengths of the parts of an encoded key, found without unescaping. Scans compare rows and columns by them.
struct KeyLayout {
  uint32_t row_length = 0;     // the escaped row with its terminator
  uint32_t column_length = 0;  // the escaped row and qualifier with their terminators
  bool row_escaped = false;    // the row holds a 0x00, so its escaped form differs
  bool qualifier_escaped = false;
};

// Reads the layout of `encoded`. Returns false if AppendCellKey cannot have written these bytes.
bool ReadKeyLayout(std::string_view encoded, KeyLayout* layout);
// Reads the layout of a key whose row is known to be the previous key's (`layout->row_*` set).
bool ReadColumnLayout(std::string_view encoded, KeyLayout* layout);

// REQUIRES: a valid encoding.
inline int64_t KeyTimestamp(std::string_view encoded) {
  return static_cast<int64_t>(~GetBigEndian<uint64_t>(encoded.data() + encoded.size() - kKeySuffixLength));
}
inline CellType KeyType(std::string_view encoded) {
  return static_cast<CellType>(~static_cast<uint8_t>(encoded.back()) & 0xff);
}

// Return row and qualifier of `encoded`, as views into `encoded` itself, or into `*scratch` if the part was escaped.
std::string_view KeyRow(std::string_view encoded, const KeyLayout& layout, std::string* scratch);
std::string_view KeyQualifier(std::string_view encoded, const KeyLayout& layout, std::string* scratch);

// Reads `encoded` into `*key`, whose views point into `encoded` or `*scratch`. Returns kCorruptHFile, and leaves `*key`
// unspecified, if AppendCellKey cannot have written these bytes.
absl::Status ParseCellKey(std::string_view encoded, std::string* scratch, CellKey* key);

// Appends the stored form of a cell's value: one byte of flags, the cell's own TTL (8 bytes big-endian) and the number
// of the write (8 bytes big-endian; engine/write_counter.h) if the flags say so, the value. Number 0 is not stored.
void AppendStoredValue(std::string_view value, int64_t ttl_ms, std::string* out, int64_t write_number = 0);
// Splits a stored value. Returns false if AppendStoredValue cannot have written it.
bool ParseStoredValue(std::string_view stored, std::string_view* value, int64_t* ttl_ms);
// Returns the number of the write; 0 if it has none.
int64_t StoredWriteNumber(std::string_view stored);

}  // namespace vaquita

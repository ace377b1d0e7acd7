#include "lab/design/key_storage.h"

#include <algorithm>

#include "absl/strings/str_format.h"

namespace vaquita::lab {
namespace {

constexpr uint64_t kTimestampAndType = 9;
constexpr uint64_t kTerminator = 2;  // ends row and qualifier in Vaquita's keys, where 0x00 takes two bytes
constexpr uint64_t kValueFlag = 1;
constexpr uint64_t kBlockEntry = 11;  // RocksDB's lengths and sequence number

uint64_t EscapedBytes(std::string_view row) { return row.size() + std::count(row.begin(), row.end(), '\0'); }

}  // namespace

CellBytes BytesOfCell(std::string_view row, const CellShape& shape) {
  CellBytes bytes;
  bytes.hbase =
      8 + 2 + row.size() + 1 + shape.family.size() + shape.qualifier_bytes + kTimestampAndType + shape.value_bytes;
  bytes.vaquita_other =
      shape.qualifier_bytes + kTerminator + kTimestampAndType + kValueFlag + shape.value_bytes + kBlockEntry;
  bytes.vaquita_first = bytes.vaquita_other + EscapedBytes(row) + kTerminator;
  return bytes;
}

void StorageSum::Add(std::string_view row, const CellShape& shape) {
  ++rows;
  key_bytes += row.size();
  shortest_key = std::min<uint64_t>(shortest_key, row.size());
  longest_key = std::max<uint64_t>(longest_key, row.size());
  if (shape.columns == 0) return;
  const CellBytes bytes = BytesOfCell(row, shape);
  cells += shape.columns;
  hbase_bytes += shape.columns * bytes.hbase;
  vaquita_bytes += bytes.vaquita_first + (shape.columns - 1) * bytes.vaquita_other;
}

void StorageSum::AddToRow(std::string_view row, const CellShape& shape) {
  const CellBytes bytes = BytesOfCell(row, shape);
  cells += shape.columns;
  hbase_bytes += shape.columns * bytes.hbase;
  vaquita_bytes += shape.columns * bytes.vaquita_other;
}

std::string CellBytesText(std::string_view row, const CellShape& shape) {
  const CellBytes bytes = BytesOfCell(row, shape);
  return absl::StrFormat(
      "HBase    %4d bytes a cell: lengths 8 + row 2 + %d + family 1 + %d + qualifier %d + timestamp 8 + type 1 + "
      "value %d\n"
      "Vaquita  %4d bytes a row's first cell, %d each other one: row %d + 2, in the first; qualifier %d + 2, "
      "timestamp 8, type 1, value 1 + %d, entry 11\n",
      bytes.hbase, row.size(), shape.family.size(), shape.qualifier_bytes, shape.value_bytes, bytes.vaquita_first,
      bytes.vaquita_other, EscapedBytes(row), shape.qualifier_bytes, shape.value_bytes);
}

}  // namespace vaquita::lab

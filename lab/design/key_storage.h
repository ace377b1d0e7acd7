// lab/design/key_storage.h: the storage of a row key, which every cell of its row repeats.
//
// Source: KeyValue (HBase 2.6) and engine/cells/cell_key.h. Bytes are those before compression and block encoding.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vaquita::lab {

// The cells of one row, all of one size.
struct CellShape {
  std::string family = "f";
  uint64_t columns = 1;
  uint64_t qualifier_bytes = 1;
  uint64_t value_bytes = 8;
};

struct CellBytes {
  uint64_t hbase = 0;          // lengths 8, row 2 + row, family 1 + family, qualifier, timestamp 8, type 1, value
  uint64_t vaquita_first = 0;  // a row's first cell: row + 2, qualifier + 2, 9, flag 1, value, entry 11
  uint64_t vaquita_other = 0;  // each other cell, which shares the row's bytes with the cell before it
};

CellBytes BytesOfCell(std::string_view row, const CellShape& shape);

// Sums the storage of rows.
struct StorageSum {
  uint64_t rows = 0;
  uint64_t key_bytes = 0;
  uint64_t shortest_key = UINT64_MAX;
  uint64_t longest_key = 0;
  uint64_t cells = 0;
  uint64_t hbase_bytes = 0;
  uint64_t vaquita_bytes = 0;

  void Add(std::string_view row, const CellShape& shape);
  // Adds further cells to a row that was added before.
  void AddToRow(std::string_view row, const CellShape& shape);
};

// Returns how the bytes of a cell add up in HBase and in Vaquita, one line each.
std::string CellBytesText(std::string_view row, const CellShape& shape);

}  // namespace vaquita::lab

// model/testing/cells.h: short ways to make tables, cells and mutations, and cells as text. For tests only.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/big_endian.h"
#include "model/cell.h"
#include "model/cell_block.h"
#include "model/family_descriptor.h"
#include "model/operations.h"
#include "model/region_info.h"
#include "model/table_descriptor.h"

namespace vaquita::testing {

// A table called "t".
inline std::shared_ptr<TableDescriptor> MakeTable(const std::vector<FamilyDescriptor>& families) {
  auto table = std::make_shared<TableDescriptor>();
  table->name.qualifier = "t";
  for (const FamilyDescriptor& family : families) table->families[family.name] = family;
  return table;
}

inline FamilyDescriptor MakeFamily(std::string_view name, int32_t max_versions = 1) {
  FamilyDescriptor family;
  family.name = name;
  family.max_versions = max_versions;
  return family;
}

// Makes a cell of "family:qualifier" ("family" alone: an empty qualifier).
inline Cell MakeCell(std::string_view column, std::string_view value, int64_t timestamp_ms = kLatestTimestamp,
                     CellType type = CellType::kPut) {
  Cell cell;
  cell.family = column.substr(0, column.find(':'));
  if (column.find(':') != column.npos) cell.qualifier = column.substr(column.find(':') + 1);
  cell.value = value;
  cell.timestamp_ms = timestamp_ms;
  cell.type = type;
  return cell;
}

inline Mutation MakeMutation(MutationType type, std::string_view row, std::vector<Cell> cells) {
  Mutation mutation;
  mutation.type = type;
  mutation.row = row;
  mutation.cells = std::move(cells);
  return mutation;
}
inline Mutation MakePut(std::string_view row, std::vector<Cell> cells) {
  return MakeMutation(MutationType::kPut, row, std::move(cells));
}
inline Mutation MakePut(std::string_view row, std::string_view column, std::string_view value,
                        int64_t timestamp_ms = kLatestTimestamp) {
  return MakePut(row, {MakeCell(column, value, timestamp_ms)});
}
inline Mutation MakeDelete(std::string_view row, std::vector<Cell> cells) {
  return MakeMutation(MutationType::kDelete, row, std::move(cells));
}
inline Mutation MakeDelete(std::string_view row, std::string_view column, CellType type,
                           int64_t timestamp_ms = kLatestTimestamp) {
  return MakeDelete(row, {MakeCell(column, "", timestamp_ms, type)});
}

// Returns eight bytes, big-endian, as increments have them.
inline std::string LongBytes(int64_t number) {
  std::string bytes;
  AppendBigEndian(static_cast<uint64_t>(number), &bytes);
  return bytes;
}
inline int64_t LongOf(std::string_view bytes) {
  uint64_t number = 0;
  for (char byte : bytes) number = number << 8 | static_cast<uint8_t>(byte);
  return static_cast<int64_t>(number);
}

// Returns "row family:qualifier @timestamp value", with the type's name instead of a value for markers.
inline std::string CellText(const CellView& cell) {
  std::string text = ToStringBinary(cell.row) + " " + std::string(cell.family) + ":" + ToStringBinary(cell.qualifier) +
                     " @" + std::to_string(cell.timestamp_ms) + " ";
  return text + (IsDelete(cell.type) ? CellTypeName(cell.type) : ToStringBinary(cell.value));
}
inline std::vector<std::string> Texts(const CellBlock& cells) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < cells.size(); ++i) texts.push_back(CellText(cells[i]));
  return texts;
}

}  // namespace vaquita::testing

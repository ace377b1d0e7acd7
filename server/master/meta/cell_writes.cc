#include "server/master/meta/cell_writes.h"

#include <utility>

namespace vaquita {

absl::Status PutCell(Region& region, std::string_view row, std::string_view family, std::string_view qualifier,
                     std::string value, int64_t timestamp_ms) {
  Mutation put;
  put.row = row;
  put.durability = Durability::kFsyncWal;
  Cell cell;
  cell.family = family;
  cell.qualifier = qualifier;
  cell.timestamp_ms = timestamp_ms;
  cell.value = std::move(value);
  put.cells.push_back(std::move(cell));
  return region.Mutate(put).status();
}

absl::Status DeleteCells(Region& region, std::string_view row, std::string_view family, std::string_view qualifier,
                         int64_t timestamp_ms) {
  Mutation deletion;
  deletion.type = MutationType::kDelete;
  deletion.row = row;
  deletion.durability = Durability::kFsyncWal;
  deletion.timestamp_ms = timestamp_ms;
  if (!family.empty()) {
    Cell cell;
    cell.family = family;
    cell.qualifier = qualifier;
    cell.type = CellType::kDeleteColumn;
    cell.timestamp_ms = timestamp_ms;
    deletion.cells.push_back(std::move(cell));
  }
  return region.Mutate(deletion).status();
}

}  // namespace vaquita

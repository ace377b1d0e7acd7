#include "region/mutation_check.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "model/request_check.h"

namespace vaquita {
namespace {

// HBase does not limit the cells of a Delete. Here only such are refused as delete what no table with HBase's default
// limit can have held, because their qualifiers would be read with every get of the row.
constexpr int64_t kMaxMarkerBytes = 10 * kMiB;

// The cell as KeyValue.toString prints it.
std::string CellText(std::string_view row, const Cell& cell) {
  const std::string time = cell.timestamp_ms == kLatestTimestamp ? "LATEST_TIMESTAMP" : absl::StrCat(cell.timestamp_ms);
  return absl::StrCat(ToStringBinary(row), "/", cell.family, cell.family.empty() ? "" : ":",
                      ToShortStringBinary(cell.qualifier), "/", time, "/", CellTypeName(cell.type),
                      "/vlen=", cell.value.size(), "/seqid=0");
}

absl::Status CheckCell(const Cell& cell, const Mutation& mutation, std::string_view row, int64_t max_cell_bytes) {
  VAQUITA_RETURN_IF_ERROR(CheckTimestamp(cell.timestamp_ms));
  // A put may hold markers beside its values (Put.add).
  const bool fits =
      mutation.type == MutationType::kPut || IsDelete(cell.type) == (mutation.type == MutationType::kDelete);
  if (!fits) {
    return Error(ErrorKind::kDoNotRetryIO,
                 absl::StrCat(mutation.type == MutationType::kDelete ? "A Delete" : "An Increment or Append",
                              " cannot hold a cell of type ", CellTypeName(cell.type), ": ", CellText(row, cell)));
  }
  if (max_cell_bytes <= 0) return absl::OkStatus();
  if (mutation.type == MutationType::kDelete) max_cell_bytes = std::max(max_cell_bytes, kMaxMarkerBytes);
  const int64_t bytes = SerializedCellBytes(row, cell);
  if (bytes <= max_cell_bytes) return absl::OkStatus();
  return Error(ErrorKind::kDoNotRetryIO, absl::StrCat("Cell[", CellText(row, cell), "] with size ", bytes,
                                                      " exceeds limit of ", max_cell_bytes, " bytes"));
}

}  // namespace

int64_t SerializedCellBytes(std::string_view row, const Cell& cell) {
  constexpr size_t kFixed = 4 + 4 + 4 + 2 + 1 + 8 + 1;  // the lengths, the timestamp, the type
  return static_cast<int64_t>(kFixed + row.size() + cell.family.size() + cell.qualifier.size() + cell.value.size());
}

absl::Status CheckMutation(const Mutation& mutation, std::string_view row, int64_t max_cell_bytes) {
  VAQUITA_RETURN_IF_ERROR(CheckRowLength(row));
  VAQUITA_RETURN_IF_ERROR(CheckHasColumns(mutation));
  VAQUITA_RETURN_IF_ERROR(CheckTimestamp(mutation.timestamp_ms));
  for (const Cell& cell : mutation.cells) VAQUITA_RETURN_IF_ERROR(CheckCell(cell, mutation, row, max_cell_bytes));
  return absl::OkStatus();
}

absl::Status CheckAgainstRegion(const RegionLayout& layout, const Mutation& mutation, std::string_view row,
                                std::string_view operation) {
  if (!layout.info.ContainsRow(row)) return RowOutOfRange(layout, row, operation);
  return CheckFamilies(layout, mutation);
}

absl::Status CheckFamilies(const RegionLayout& layout, const Mutation& mutation) {
  for (const Cell& cell : mutation.cells) {
    if (layout.Find(cell.family) < 0) return NoSuchFamily(layout, cell.family);
  }
  return absl::OkStatus();
}

}  // namespace vaquita

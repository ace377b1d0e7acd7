#include "client/distribution/merge_row.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace vaquita::client {
namespace {

bool SameColumn(const Cell& a, const Cell& b) { return a.family == b.family && a.qualifier == b.qualifier; }

// The order of a row's cells: timestamp and type descend.
bool IsBefore(const Cell& a, const Cell& b) {
  return std::tie(a.family, a.qualifier, b.timestamp_ms, b.type) <
         std::tie(b.family, b.qualifier, a.timestamp_ms, a.type);
}

void KeepVersions(int32_t max_versions, std::vector<Cell>* cells) {
  std::vector<Cell> kept;
  int32_t versions = 0;
  for (Cell& cell : *cells) {
    const bool same_column = !kept.empty() && SameColumn(kept.back(), cell);
    if (!same_column) versions = 0;
    if (same_column && (versions == max_versions || !IsBefore(kept.back(), cell))) continue;
    ++versions;
    kept.push_back(std::move(cell));
  }
  *cells = std::move(kept);
}

}  // namespace

void MergeIntoRow(Result part, int32_t max_versions, bool raw, Result* row) {
  row->exists |= part.exists;
  if (part.cells.empty()) return;
  std::vector<Cell> cells;
  cells.reserve(row->cells.size() + part.cells.size());
  std::merge(std::make_move_iterator(row->cells.begin()), std::make_move_iterator(row->cells.end()),
             std::make_move_iterator(part.cells.begin()), std::make_move_iterator(part.cells.end()),
             std::back_inserter(cells), IsBefore);
  if (!raw) KeepVersions(max_versions, &cells);
  row->cells = std::move(cells);
}

}  // namespace vaquita::client

// engine/testing/cell_model.h: a slow, obvious model of one store, to check the real one against. For tests only.
//
// A store is a memstore and a list of files, each a plain list of cells. Reads and compactions are defined here by
// conditions on whole columns ("a put is visible if no marker masks it and it is among the newest n"), where the real
// code (engine/cells/column_tracker.h) walks the cells once with counters. The rules are HBase 2.6's, its oddities
// included; each oddity is named at its place. It uses only the standard library and plain data, so that the region's
// tests can use it too, with one CellModel per family.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "model/cell.h"
#include "model/family_descriptor.h"

namespace vaquita::testing {

// A read of one store, in the words of HBase's Scan.
struct ModelRead {
  RowRange rows;                        // ascending, also for a reversed read
  std::vector<std::string> qualifiers;  // empty: all columns
  int32_t max_versions = 1;
  TimeRange time_range;
  bool raw = false;
  bool reversed = false;
  int64_t now_ms = 0;
};

class CellModel {
 public:
  explicit CellModel(FamilyDescriptor family) : family_(std::move(family)) {}

  FamilyDescriptor& family() { return family_; }
  size_t file_count() const { return files_.size(); }

  // Writes a cell; its timestamp is filled in already. It takes the place of an unflushed one with the same key.
  void Write(Cell cell) {
    cell.family = family_.name;
    Key key = KeyOf(cell);
    memstore_.insert_or_assign(std::move(key), std::move(cell));
  }

  // Writes the memstore to a file. A flush drops what a minor compaction drops.
  void Flush(int64_t now_ms) {
    if (memstore_.empty()) return;
    AddFile(files_.size(), Survivors(Columns(memstore_), /*major=*/false, now_ms));
    memstore_.clear();
  }

  // Rewrites the files [first, first + count), oldest file first, into one. Files alone: the memstore stays as it is.
  void CompactMinor(size_t first, size_t count, int64_t now_ms) { Compact(first, count, /*major=*/false, now_ms); }
  void CompactMajor(int64_t now_ms) { Compact(0, files_.size(), /*major=*/true, now_ms); }

  // Returns the cells that `read` sees, in the order of a real read.
  std::vector<Cell> Read(const ModelRead& read) const {
    std::map<std::string, std::vector<Cell>> rows;
    const ColumnCells columns = Columns(Everything());
    for (const auto& [name, column] : columns) {
      if (!read.rows.Contains(name.first)) continue;
      const bool asked = read.qualifiers.empty() || std::find(read.qualifiers.begin(), read.qualifiers.end(),
                                                              name.second) != read.qualifiers.end();
      if (!asked) continue;
      for (const Cell& cell : read.raw ? SeenRaw(column, read) : Seen(columns, name, read)) {
        rows[name.first].push_back(cell);
      }
    }
    std::vector<Cell> cells;
    for (const auto& [row, row_cells] : rows) {
      // A reversed read turns the rows around, not the cells in them.
      cells.insert(read.reversed ? cells.begin() : cells.end(), row_cells.begin(), row_cells.end());
    }
    return cells;
  }

  // Returns all cells of the file in store order, for tests that compare it with the real file.
  std::vector<Cell> File(size_t index) const {
    std::vector<Cell> cells;
    for (const auto& [key, cell] : files_[index]) cells.push_back(cell);
    return cells;
  }

 private:
  // Row, qualifier, then timestamp and type both descending.
  using Key = std::tuple<std::string, std::string, int64_t, int>;
  using Cells = std::map<Key, Cell>;
  using ColumnName = std::pair<std::string, std::string>;  // row, qualifier
  using ColumnCells = std::map<ColumnName, std::vector<Cell>>;

  static Key KeyOf(const Cell& cell) {
    return {cell.row, cell.qualifier, -cell.timestamp_ms, -static_cast<int>(cell.type)};
  }

  static ColumnCells Columns(const Cells& cells) {
    ColumnCells columns;
    for (const auto& [key, cell] : cells) columns[{cell.row, cell.qualifier}].push_back(cell);
    return columns;
  }

  // Memstore and files as one. Of the same key written twice the later write counts.
  Cells Everything() const {
    Cells all = memstore_;
    for (size_t i = files_.size(); i-- > 0;) all.insert(files_[i].begin(), files_[i].end());
    return all;
  }

  void AddFile(size_t position, Cells cells) {
    if (!cells.empty()) files_.insert(files_.begin() + position, std::move(cells));
  }

  void Compact(size_t first, size_t count, bool major, int64_t now_ms) {
    Cells merged;
    for (size_t i = first + count; i-- > first;) merged.insert(files_[i].begin(), files_[i].end());
    files_.erase(files_.begin() + first, files_.begin() + first + count);
    AddFile(first, Survivors(Columns(merged), major, now_ms));
  }

  // --- Time.

  bool Expired(const Cell& cell, int64_t now_ms) const {
    return family_.ttl_seconds != kForeverSeconds && cell.timestamp_ms < now_ms - int64_t{family_.ttl_seconds} * 1000;
  }
  // Neither the family's TTL (unless a minimum of versions may save it) nor the cell's own ended it.
  bool Alive(const Cell& cell, int64_t now_ms) const {
    if (family_.min_versions == 0 && Expired(cell, now_ms)) return false;
    return cell.ttl_ms == kNoTtl || cell.timestamp_ms + cell.ttl_ms >= now_ms;
  }

  // --- Markers.

  static bool SameColumn(const Cell& a, const Cell& b) { return a.qualifier == b.qualifier; }
  static bool Masks(const Cell& marker, const Cell& put) {
    switch (marker.type) {
      case CellType::kDeleteFamily:
        return put.timestamp_ms <= marker.timestamp_ms;
      case CellType::kDeleteFamilyVersion:
        return put.timestamp_ms == marker.timestamp_ms;
      case CellType::kDeleteColumn:
        return SameColumn(marker, put) && put.timestamp_ms <= marker.timestamp_ms;
      case CellType::kDelete:
        return SameColumn(marker, put) && put.timestamp_ms == marker.timestamp_ms;
      case CellType::kPut:
        break;
    }
    return false;
  }

  // Those cells of `row` that are markers and that `counts` says yes to.
  template <typename Counts>
  static std::vector<Cell> Markers(const ColumnCells& columns, const std::string& row, Counts counts) {
    std::vector<Cell> markers;
    for (const auto& [name, column] : columns) {
      if (name.first != row) continue;
      for (const Cell& cell : column) {
        if (IsDelete(cell.type) && counts(cell)) markers.push_back(cell);
      }
    }
    return markers;
  }

  static bool Masked(const std::vector<Cell>& markers, const Cell& put) {
    return std::any_of(markers.begin(), markers.end(), [&](const Cell& marker) { return Masks(marker, put); });
  }

  // --- Reads.

  std::vector<Cell> Seen(const ColumnCells& columns, const ColumnName& name, const ModelRead& read) const {
    // A family that keeps deleted cells shows them to a read of the time before their marker.
    const auto markers = Markers(columns, name.first, [&](const Cell& marker) {
      if (!Alive(marker, read.now_ms)) return false;
      return family_.keep_deleted_cells == KeepDeletedCells::kFalse ? marker.timestamp_ms >= read.time_range.min_ms
                                                                    : read.time_range.Contains(marker.timestamp_ms);
    });
    const int32_t max_versions = std::min(read.max_versions, family_.max_versions);
    std::vector<Cell> seen;
    int32_t version = 0;
    bool complete = false;
    for (const Cell& cell : columns.at(name)) {
      if (IsDelete(cell.type) || !Alive(cell, read.now_ms) || Masked(markers, cell)) continue;
      if (!read.time_range.Contains(cell.timestamp_ms)) continue;
      ++version;
      const bool expired = Expired(cell, read.now_ms);
      if (read.qualifiers.empty()) {
        if (version <= max_versions && (version <= family_.min_versions || !expired)) seen.push_back(cell);
      } else {
        // An oddity of HBase: a read that names its columns sees one expired version more than MIN_VERSIONS asks for.
        if (version <= max_versions && !complete) seen.push_back(cell);
        complete = complete || (version >= family_.min_versions && expired);
      }
    }
    return seen;
  }

  std::vector<Cell> SeenRaw(const std::vector<Cell>& column, const ModelRead& read) const {
    std::vector<Cell> seen;
    int32_t versions = 0;
    for (const Cell& cell : column) {
      if (!read.time_range.Contains(cell.timestamp_ms)) continue;
      // The family's TTL does not bind a raw read; a cell's own does.
      if (cell.ttl_ms != kNoTtl && cell.timestamp_ms + cell.ttl_ms < read.now_ms) continue;
      if (!IsDelete(cell.type)) ++versions;
      if (versions <= read.max_versions) seen.push_back(cell);
    }
    return seen;
  }

  // --- Compactions.

  // A marker that keeps what it deletes, instead of masking it.
  bool Keeps(const Cell& marker, int64_t now_ms) const {
    return family_.keep_deleted_cells == KeepDeletedCells::kTrue ||
           (family_.keep_deleted_cells == KeepDeletedCells::kTtl && !Expired(marker, now_ms));
  }

  // Returns the cells that a compaction of `columns` writes.
  Cells Survivors(const ColumnCells& columns, bool major, int64_t now_ms) const {
    Cells survivors;
    for (const auto& [name, column] : columns) {
      const auto masking = Markers(columns, name.first,
                                   [&](const Cell& marker) { return Alive(marker, now_ms) && !Keeps(marker, now_ms); });
      int32_t versions = 0;
      bool cut = false;
      for (const Cell& cell : column) {
        if (!Alive(cell, now_ms)) continue;
        bool survives = false;
        if (IsDelete(cell.type) && !major) {
          // An oddity of HBase: a minor compaction drops the column's rest with its first cell that ends it, markers
          // included; but never in the empty qualifier's column, where the family's markers are.
          survives = !cut || name.second.empty();
        } else if (IsDelete(cell.type)) {
          survives = Keeps(cell, now_ms) && Lives(cell, versions, now_ms);
        } else if (Masked(masking, cell)) {
          cut = cut || EndsColumn(masking, cell);
        } else {
          ++versions;
          survives = Lives(cell, versions, now_ms);
          cut = cut || !survives;
        }
        if (survives) survivors.emplace(KeyOf(cell), cell);
      }
    }
    return survivors;
  }

  bool Lives(const Cell& cell, int32_t versions, int64_t now_ms) const {
    return versions <= family_.max_versions && (versions <= family_.min_versions || !Expired(cell, now_ms));
  }

  // Returns whether HBase applies the mask of `put` to all older cells too: the family's marker; or the column's,
  // unless a marker of the family for just this timestamp is found first.
  static bool EndsColumn(const std::vector<Cell>& masking, const Cell& put) {
    const auto masked_by = [&](CellType type) {
      return std::any_of(masking.begin(), masking.end(),
                         [&](const Cell& marker) { return marker.type == type && Masks(marker, put); });
    };
    if (masked_by(CellType::kDeleteFamily)) return true;
    return masked_by(CellType::kDeleteColumn) && !masked_by(CellType::kDeleteFamilyVersion);
  }

  FamilyDescriptor family_;
  Cells memstore_;
  std::vector<Cells> files_;  // oldest first
};

}  // namespace vaquita::testing

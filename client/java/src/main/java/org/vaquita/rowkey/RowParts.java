package org.vaquita.rowkey;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;

/** One row of what several buckets hold under the same original key. */
final class RowParts {
  private static final Comparator<Cell> ORDER = CellComparator.getInstance()::compare;

  /** {@code parts} are at least one. Cells in their order, no column with more than {@code maxVersions}, and each version once. {@code raw}: all cells. */
  static Result merge(List<Result> parts, int maxVersions, boolean raw) {
    if (parts.size() == 1) return parts.get(0);
    List<Cell> cells = new ArrayList<>();
    Boolean exists = null;
    for (Result part : parts) {
      if (part.getExists() != null) exists = part.getExists() || Boolean.TRUE.equals(exists);
      if (!part.isEmpty()) cells.addAll(part.listCells());
    }
    cells.sort(ORDER);
    if (!raw) cells = keepVersions(cells, maxVersions);
    return Result.create(cells.toArray(new Cell[0]), exists, false);
  }

  private static List<Cell> keepVersions(List<Cell> cells, int maxVersions) {
    List<Cell> kept = new ArrayList<>();
    int versions = 0;
    for (Cell cell : cells) {
      Cell last = kept.isEmpty() ? null : kept.get(kept.size() - 1);
      boolean sameColumn = last != null && CellUtil.matchingColumn(last, cell);
      if (!sameColumn) versions = 0;
      boolean sameVersion = sameColumn && last.getTimestamp() == cell.getTimestamp() && last.getType() == cell.getType();
      if (sameVersion || versions == maxVersions) continue;
      ++versions;
      kept.add(cell);
    }
    return kept;
  }

  private RowParts() {}
}

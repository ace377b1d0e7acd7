package org.vaquita.rowkey;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilder;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.io.TimeRange;

/** Requests and results with another row key and the rest as it was. */
final class RowCopies {
  static Result of(Result result, byte[] row) {
    Cell[] cells = result.rawCells();
    Cell[] copies = new Cell[cells.length];
    for (int i = 0; i < cells.length; ++i) copies[i] = of(cells[i], row);
    return Result.create(copies, result.getExists(), result.isStale(), result.mayHaveMoreCellsInRow());
  }

  static Get of(Get get, byte[] row, Filter filter) throws IOException {
    Get copy = new Get(row).readVersions(get.getMaxVersions()).setTimeRange(get.getTimeRange().getMin(), get.getTimeRange().getMax());
    addColumns(get.getFamilyMap(), copy);
    for (Map.Entry<byte[], TimeRange> range : get.getColumnFamilyTimeRange().entrySet()) {
      copy.setColumnFamilyTimeRange(range.getKey(), range.getValue().getMin(), range.getValue().getMax());
    }
    copy.setMaxResultsPerColumnFamily(get.getMaxResultsPerColumnFamily()).setRowOffsetPerColumnFamily(get.getRowOffsetPerColumnFamily());
    copy.setCheckExistenceOnly(get.isCheckExistenceOnly()).setCacheBlocks(get.getCacheBlocks()).setConsistency(get.getConsistency());
    if (filter != null) copy.setFilter(filter);
    return copy;
  }

  /** The get that reads of one row what the scan would. */
  static Get of(Scan scan, byte[] row) throws IOException {
    Get get = new Get(row).readVersions(scan.getMaxVersions()).setTimeRange(scan.getTimeRange().getMin(), scan.getTimeRange().getMax());
    addColumns(scan.getFamilyMap(), get);
    for (Map.Entry<byte[], TimeRange> range : scan.getColumnFamilyTimeRange().entrySet()) {
      get.setColumnFamilyTimeRange(range.getKey(), range.getValue().getMin(), range.getValue().getMax());
    }
    get.setMaxResultsPerColumnFamily(scan.getMaxResultsPerColumnFamily()).setRowOffsetPerColumnFamily(scan.getRowOffsetPerColumnFamily());
    get.setCacheBlocks(scan.getCacheBlocks()).setConsistency(scan.getConsistency());
    if (scan.getFilter() != null) get.setFilter(scan.getFilter());
    return get;
  }

  static Put of(Put put, byte[] row) throws IOException {
    Put copy = new Put(row, put.getTimestamp());
    for (List<Cell> cells : put.getFamilyCellMap().values()) {
      for (Cell cell : cells) copy.add(of(cell, row));
    }
    if (put.getTTL() != Long.MAX_VALUE) copy.setTTL(put.getTTL());
    copySettings(put, copy);
    return copy;
  }

  static Delete of(Delete delete, byte[] row) throws IOException {
    Delete copy = new Delete(row, delete.getTimestamp());
    for (List<Cell> cells : delete.getFamilyCellMap().values()) {
      for (Cell cell : cells) copy.add(of(cell, row));
    }
    copySettings(delete, copy);
    return copy;
  }

  private static void copySettings(Mutation from, Mutation to) {
    to.setDurability(from.getDurability());
    from.getAttributesMap().forEach(to::setAttribute);
  }

  private static void addColumns(Map<byte[], NavigableSet<byte[]>> families, Get get) {
    families.forEach((family, qualifiers) -> {
      if (qualifiers == null || qualifiers.isEmpty()) get.addFamily(family);
      else qualifiers.forEach(qualifier -> get.addColumn(family, qualifier));
    });
  }

  private static Cell of(Cell cell, byte[] row) {
    CellBuilder copy = CellBuilderFactory.create(CellBuilderType.DEEP_COPY);
    return copy.setRow(row)
        .setFamily(cell.getFamilyArray(), cell.getFamilyOffset(), cell.getFamilyLength())
        .setQualifier(cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength())
        .setTimestamp(cell.getTimestamp())
        .setType(cell.getType())
        .setValue(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength())
        .build();
  }

  private RowCopies() {}
}

package vaquita.clients;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** What is below SQL's tables, as lines: "ROW FAMILY:QUALIFIER TYPE xVALUE" for a cell, in hexadecimal, without its time. */
public final class HBaseCells {
  private HBaseCells() {}

  /** The cells of the rows whose printed key has this part. */
  public static List<String> read(Connection hbase, String table, String part) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Table t = hbase.getTable(TableName.valueOf(table));
         ResultScanner scanner = t.getScanner(new Scan().setRaw(true).readAllVersions())) {
      for (Result row : scanner) {
        String key = Bytes.toStringBinary(row.getRow());
        for (Cell cell : row.rawCells()) {
          if (key.contains(part)) {
            lines.add(key + " " + Bytes.toString(CellUtil.cloneFamily(cell)) + ":"
                + Bytes.toStringBinary(CellUtil.cloneQualifier(cell)) + " " + cell.getType() + " x"
                + Bytes.toHex(CellUtil.cloneValue(cell)));
          }
        }
      }
    }
    return lines;
  }

  public static void create(Connection hbase, String table, Iterable<String> families) throws IOException {
    TableDescriptorBuilder descriptor = TableDescriptorBuilder.newBuilder(TableName.valueOf(table));
    families.forEach(family -> descriptor.setColumnFamily(ColumnFamilyDescriptorBuilder.of(family)));
    try (Admin admin = hbase.getAdmin()) {
      admin.createTable(descriptor.build());
    }
  }

  /** Writes cells that `read` gave, the first of each column, into the table, which is made if it is not there. */
  public static void write(Connection hbase, String table, List<String> lines) throws IOException {
    List<Put> puts = new ArrayList<>();
    Set<String> families = new TreeSet<>();
    Set<String> columns = new HashSet<>();
    for (String line : lines) {
      // A row or qualifier may have blanks.
      int value = line.lastIndexOf(" x");
      int type = line.lastIndexOf(' ', value - 1);
      int family = line.lastIndexOf(' ', line.lastIndexOf(':', type) - 1);
      String column = line.substring(family + 1, type);
      if (!columns.add(line.substring(0, type)) || !line.startsWith("Put", type + 1)) {
        continue;
      }
      families.add(column.substring(0, column.indexOf(':')));
      puts.add(new Put(Bytes.toBytesBinary(line.substring(0, family))).addColumn(Bytes.toBytes(column.substring(0, column.indexOf(':'))),
          Bytes.toBytesBinary(column.substring(column.indexOf(':') + 1)), Bytes.fromHex(line.substring(value + 2))));
    }
    try (Admin admin = hbase.getAdmin(); Table t = hbase.getTable(TableName.valueOf(table))) {
      if (!admin.tableExists(t.getName())) {
        create(hbase, table, families);
      }
      t.put(puts);
    }
  }

  /** What differs from HBase's defaults. */
  public static List<String> descriptor(Connection hbase, String table) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Admin admin = hbase.getAdmin()) {
      TableDescriptor descriptor = admin.getDescriptor(TableName.valueOf(table));
      Stream.of(descriptor.getColumnFamilies()).map(ColumnFamilyDescriptor::toStringCustomizedValues).forEach(f -> lines.add("family " + f));
      for (var value : new TreeMap<>(descriptor.getValues()).entrySet()) {
        String name = value.getKey().toString();
        if (!name.equals("hbase.store.file-tracker.impl") && !name.equals("IS_META")) {
          lines.add("value " + name + " = " + value.getValue());
        }
      }
    }
    return lines;
  }
}

#include "sql/catalog/table_rows.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/status.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"

namespace vaquita::sql {
namespace {

// Cells that a new table leaves null, which Phoenix writes as deletes.
constexpr std::string_view kNullsOfTable[] = {"AUTO_PARTITION_SEQ",
                                              "CHANGE_DETECTION_ENABLED",
                                              "DATA_TABLE_NAME",
                                              "INDEX_STATE",
                                              "INDEX_TYPE",
                                              "INDEX_WHERE",
                                              "PHOENIX_TTL",
                                              "PHOENIX_TTL_HWM",
                                              "PHYSICAL_TABLE_NAME",
                                              "SCHEMA_VERSION",
                                              "STREAMING_TOPIC_NAME",
                                              "TRANSACTION_PROVIDER",
                                              "USE_STATS_FOR_PARALLELIZATION",
                                              "VIEW_INDEX_ID_DATA_TYPE"};

// An index has values for these of them.
constexpr std::string_view kNotNullInIndex[] = {"DATA_TABLE_NAME", "INDEX_STATE", "INDEX_TYPE"};

constexpr int64_t kGlobalIndex = 1;
constexpr int32_t kOneCellPerColumn = 1;
constexpr int32_t kOneCellForFamily = 2;
constexpr char kLinkToIndex = '\1';
constexpr char kLinkToBase = '\2';
constexpr char kLinkToParent = '\3';
constexpr char kLinkToChild = '\4';
constexpr int64_t kAscending = 2;
constexpr int64_t kDescendingOrder = 1;

// One row of the catalog, put together cell by cell.
class CatalogRow {
 public:
  explicit CatalogRow(std::string row) {
    mutations_.row = row;
    for (const MutationType type : {MutationType::kPut, MutationType::kDelete}) {
      Mutation& mutation = mutations_.mutations.emplace_back();
      mutation.type = type;
      mutation.row = row;
    }
    Add("_0", TypeId::kVarchar, kEmptyCellValue);
  }

  void Add(std::string_view name, const SqlType& type, const Value& value) {
    Cell cell;
    cell.family = kDefaultFamily;
    cell.qualifier = name;
    cell.type = value.is_null() ? CellType::kDeleteColumn : CellType::kPut;
    cell.value = EncodeValue(type, value);
    mutations_.mutations[value.is_null() ? 1 : 0].cells.push_back(std::move(cell));
  }
  void Flag(std::string_view name, bool value) { Add(name, TypeId::kBoolean, int64_t{value}); }
  void Number(std::string_view name, std::optional<int64_t> value, TypeId type = TypeId::kInteger) {
    Add(name, type, value.has_value() ? Value(*value) : Value());
  }
  void Text(std::string_view name, const std::string& value) {
    Add(name, TypeId::kVarchar, value.empty() ? Value() : Value(value));
  }

  RowMutations Finish() && {
    std::erase_if(mutations_.mutations, [](const Mutation& mutation) { return mutation.cells.empty(); });
    return std::move(mutations_);
  }

 private:
  RowMutations mutations_;
};

RowMutations HeaderRow(const TableDef& table) {
  CatalogRow row(CatalogKey(table.ident));
  for (const std::string_view name : kNullsOfTable)
    if (!table.is_index() || std::ranges::find(kNotNullInIndex, name) == std::end(kNotNullInIndex))
      row.Add(name, TypeId::kVarchar, Value());
  if (table.is_index()) {
    row.Text("DATA_TABLE_NAME", table.data_table);
    row.Text("INDEX_STATE", std::string(1, static_cast<char>(table.index_state)));
    row.Number("INDEX_TYPE", kGlobalIndex, TypeId::kUnsignedTinyint);
  }
  for (const std::string_view name : {"APPEND_ONLY_SCHEMA", "IS_NAMESPACE_MAPPED", "MULTI_TENANT"})
    row.Flag(name, false);
  row.Flag("DISABLE_WAL", table.skip_log);
  row.Flag("STORE_NULLS", table.store_nulls);
  row.Flag("IMMUTABLE_ROWS", table.immutable);
  if (table.view != ViewType::kMapped) row.Flag("ROW_KEY_ORDER_OPTIMIZABLE", true);
  row.Text("VIEW_STATEMENT", table.statement);
  row.Number("VIEW_TYPE",
             table.view != ViewType::kNone ? std::optional(static_cast<int64_t>(table.view)) : std::nullopt,
             TypeId::kUnsignedTinyint);
  row.Number("GUIDE_POSTS_WIDTH", table.guide_posts_width, TypeId::kBigint);
  // The salt is a column, too.
  const int64_t salt = table.salt_buckets > 0 ? 1 : 0;
  const auto columns = static_cast<int64_t>(table.columns.size()) + salt;
  const int64_t of_view = table.view == ViewType::kMapped ? columns : static_cast<int64_t>(table.inherited) + salt;
  row.Number("BASE_COLUMN_COUNT", table.view == ViewType::kNone ? -1 : of_view);
  row.Number("COLUMN_COUNT", columns);
  row.Number("ENCODING_SCHEME", static_cast<int64_t>(table.encoding), TypeId::kTinyint);
  row.Number("IMMUTABLE_STORAGE_SCHEME", table.one_cell ? kOneCellForFamily : kOneCellPerColumn, TypeId::kTinyint);
  row.Number("SALT_BUCKETS", table.salt_buckets > 0 ? std::optional<int64_t>(table.salt_buckets) : std::nullopt);
  row.Number("TABLE_SEQ_NUM", table.changes, TypeId::kBigint);
  row.Number("UPDATE_CACHE_FREQUENCY", table.cache_ms, TypeId::kBigint);
  row.Text("DEFAULT_COLUMN_FAMILY", table.default_family);
  row.Text("PK_NAME", table.key_name);
  row.Text("TABLE_TYPE", std::string(1, table.type));
  return std::move(row).Finish();
}

std::string ColumnKey(const TableDef& table, const ColumnDef& column) {
  return Concat(CatalogKey(table.ident), std::string(1, '\0'), column.name, column.is_key() ? "" : std::string(1, '\0'),
                column.family);
}

RowMutations ColumnRow(const TableDef& table, const ColumnDef& column, int64_t position, const std::string& key_name) {
  CatalogRow row(ColumnKey(table, column));
  const auto positive = [](int64_t value) { return value > 0 ? std::optional(value) : std::nullopt; };
  row.Number("ARRAY_SIZE", positive(column.array_size));
  row.Text("COLUMN_DEF", column.default_text);
  row.Add("COLUMN_QUALIFIER", TypeId::kVarbinary, column.qualifier.empty() ? Value() : Value(column.qualifier));
  row.Number("COLUMN_SIZE", column.type.length);
  row.Text("DATA_TABLE_NAME", table.data_table);
  row.Number("DATA_TYPE", column.type.jdbc());
  row.Number("DECIMAL_DIGITS", column.type.scale);
  row.Flag("IS_ROW_TIMESTAMP", false);
  row.Flag("IS_VIEW_REFERENCED", false);
  row.Number("KEY_SEQ", positive(column.key_position), TypeId::kSmallint);
  row.Number("NULLABLE", column.nullable ? 1 : 0);
  row.Number("ORDINAL_POSITION", position);
  row.Text("PK_NAME", key_name);
  row.Number("SORT_ORDER", column.descending ? kDescendingOrder : kAscending);
  row.Text("VIEW_CONSTANT", "");
  return std::move(row).Finish();
}

RowMutations CounterRow(const TableDef& table, const std::string& family, int32_t next) {
  CatalogRow row(LinkKey(table.ident, family));  // no column, but a family
  row.Number("QUALIFIER_COUNTER", next);
  return std::move(row).Finish();
}

// Returns the row that links a table to another name.
CatalogRow LinkRow(const TableIdent& table, std::string_view other, char type) {
  CatalogRow row(LinkKey(table, other));
  row.Add("LINK_TYPE", TypeId::kVarbinary, Value(std::string(1, type)));
  return row;
}

// Returns the table's row with the cells that every change writes.
CatalogRow AlteredRow(const TableDef& after) {
  CatalogRow row(CatalogKey(after.ident));
  row.Text("TABLE_TYPE", std::string(1, after.type));
  row.Number("TABLE_SEQ_NUM", after.changes, TypeId::kBigint);
  row.Number("COLUMN_COUNT", static_cast<int64_t>(after.columns.size()));  // the salt does not count here
  return row;
}

// The cells of one row by name.
class CellReader {
 public:
  explicit CellReader(const std::vector<Cell>& cells) {
    for (const Cell& cell : cells) values_.emplace(cell.qualifier, cell.value);
  }
  std::string Bytes(const std::string& name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? "" : found->second;
  }
  absl::StatusOr<int64_t> Number(const std::string& name, TypeId type, int64_t by_default) const {
    VAQUITA_ASSIGN_OR_RETURN(const Value value, DecodeValue(type, Bytes(name)));
    return value.is_null() ? by_default : value.integer();
  }

 private:
  std::map<std::string, std::string> values_;
};

absl::Status ReadHeader(const CellReader& cells, TableDef* table) {
  const auto flag = [&cells](const std::string& name) { return cells.Bytes(name) == std::string(1, '\1'); };
  const std::string type = cells.Bytes("TABLE_TYPE");
  if (!type.empty()) table->type = type[0];
  table->key_name = cells.Bytes("PK_NAME");
  table->default_family = cells.Bytes("DEFAULT_COLUMN_FAMILY");
  table->immutable = flag("IMMUTABLE_ROWS");
  table->store_nulls = flag("STORE_NULLS");
  table->skip_log = flag("DISABLE_WAL");
  VAQUITA_ASSIGN_OR_RETURN(table->changes, cells.Number("TABLE_SEQ_NUM", TypeId::kBigint, 0));
  VAQUITA_ASSIGN_OR_RETURN(table->cache_ms, cells.Number("UPDATE_CACHE_FREQUENCY", TypeId::kBigint, 0));
  if (!cells.Bytes("GUIDE_POSTS_WIDTH").empty()) {
    VAQUITA_ASSIGN_OR_RETURN(table->guide_posts_width, cells.Number("GUIDE_POSTS_WIDTH", TypeId::kBigint, 0));
  }
  // Tables from before Phoenix 4.10 have no numbers for their columns.
  VAQUITA_ASSIGN_OR_RETURN(const int64_t encoding, cells.Number("ENCODING_SCHEME", TypeId::kTinyint, 0));
  if (encoding < 0 || encoding > 4) {
    return SqlError(ErrorCode::kIllegalData, Concat("ENCODING_SCHEME of ", table->ident.ToString(), " is ", encoding));
  }
  table->encoding = static_cast<QualifierEncoding>(encoding);
  VAQUITA_ASSIGN_OR_RETURN(const int64_t storage,
                           cells.Number("IMMUTABLE_STORAGE_SCHEME", TypeId::kTinyint, kOneCellPerColumn));
  table->one_cell = storage == kOneCellForFamily;
  VAQUITA_ASSIGN_OR_RETURN(const int64_t buckets, cells.Number("SALT_BUCKETS", TypeId::kInteger, 0));
  table->salt_buckets = static_cast<int32_t>(buckets);
  VAQUITA_ASSIGN_OR_RETURN(const int64_t view, cells.Number("VIEW_TYPE", TypeId::kUnsignedTinyint, 0));
  if (view < 0 || view > 3) return NotSupported(Concat("View type ", view, " of ", table->ident.ToString()));
  table->view = static_cast<ViewType>(view);
  table->statement = cells.Bytes("VIEW_STATEMENT");
  table->data_table = cells.Bytes("DATA_TABLE_NAME");
  if (const std::string state = cells.Bytes("INDEX_STATE"); !state.empty()) {
    table->index_state = static_cast<IndexState>(state[0]);
  }
  if (table->is_index()) {
    VAQUITA_ASSIGN_OR_RETURN(const int64_t kind, cells.Number("INDEX_TYPE", TypeId::kUnsignedTinyint, kGlobalIndex));
    const bool other = kind != kGlobalIndex || !cells.Bytes("INDEX_WHERE").empty();
    table->not_writable = other ? "it is an index of a kind that Vaquita does not keep" : kKeptIndex;
  }
  if (table->type == 's') table->not_writable = "it is the system's";
  if (flag("MULTI_TENANT")) table->not_writable = "it has several tenants";
  if (!cells.Bytes("TRANSACTION_PROVIDER").empty()) table->not_writable = "it is transactional";
  return absl::OkStatus();
}

// Takes a link to another table.
void ReadLink(char type, const TableIdent& other, TableDef* table) {
  if (type == kLinkToBase) {
    table->base = other;
  } else if (type == kLinkToParent) {
    table->parent = other;
  } else if (type == kLinkToIndex) {
    table->index_names.push_back(other.name);
  } else {
    table->not_writable = Concat("it has a link to ", other.ToString());
  }
}

absl::StatusOr<ColumnDef> ReadColumn(const TableIdent& table, std::string_view name, std::string_view family,
                                     const CellReader& cells) {
  ColumnDef column;
  column.name = name;
  column.family = family;
  VAQUITA_ASSIGN_OR_RETURN(const int64_t number, cells.Number("DATA_TYPE", TypeId::kInteger, 0));
  const std::optional<SqlType> type = TypeOfJdbc(static_cast<int32_t>(number));
  if (!type.has_value()) {
    return NotSupported(Concat("Data type ", number, " of ", table.ToString(), ".", name));
  }
  column.type = *type;
  VAQUITA_ASSIGN_OR_RETURN(const int64_t size, cells.Number("COLUMN_SIZE", TypeId::kInteger, 0));
  if (size > 0) column.type.length = static_cast<int32_t>(size);
  if (!cells.Bytes("DECIMAL_DIGITS").empty()) {
    VAQUITA_ASSIGN_OR_RETURN(const int64_t digits, cells.Number("DECIMAL_DIGITS", TypeId::kInteger, 0));
    column.type.scale = static_cast<int32_t>(digits);
  }
  column.type = column.type.WithinDecimal();
  VAQUITA_ASSIGN_OR_RETURN(const int64_t nullable, cells.Number("NULLABLE", TypeId::kInteger, 1));
  column.nullable = nullable != 0;
  VAQUITA_ASSIGN_OR_RETURN(const int64_t order, cells.Number("SORT_ORDER", TypeId::kInteger, kAscending));
  column.descending = order == kDescendingOrder;
  VAQUITA_ASSIGN_OR_RETURN(const int64_t key, cells.Number("KEY_SEQ", TypeId::kSmallint, 0));
  column.key_position = static_cast<int32_t>(key);
  VAQUITA_ASSIGN_OR_RETURN(const int64_t array_size, cells.Number("ARRAY_SIZE", TypeId::kInteger, 0));
  column.array_size = static_cast<int32_t>(array_size);
  column.qualifier = cells.Bytes("COLUMN_QUALIFIER");
  if (!column.is_key() && column.qualifier.empty()) column.qualifier = column.name;
  column.default_text = cells.Bytes("COLUMN_DEF");
  return column;
}

// Anyone who may write to SYSTEM.CATALOG has written the rows, perhaps a damaged backup. Returns IllegalData, naming
// the table, for what no statement makes.
absl::Status CheckDefinition(const TableDef& table) {
  if (table.salt_buckets < 0 || table.salt_buckets > kMostSaltBuckets) {
    return SqlError(ErrorCode::kIllegalData,
                    Concat("SALT_BUCKETS of ", table.ident.ToString(), " is ", table.salt_buckets));
  }
  for (const ColumnDef& column : table.columns) {
    const SqlType& type = column.type;
    if (RowOf(type.id).width >= 0 || type.length.value_or(0) <= kMostFixedBytes) continue;
    return SqlError(ErrorCode::kIllegalData,
                    Concat("COLUMN_SIZE of ", table.ident.ToString(), ".", column.name, " is ", *type.length, ", and ",
                           RowOf(type.id).name, " has at most ", kMostFixedBytes, " bytes"));
  }
  return absl::OkStatus();
}

}  // namespace

std::string CatalogKey(const TableIdent& table) {
  const std::string end(1, '\0');
  return Concat(end, table.schema, end, table.name);
}

absl::StatusOr<TableIdent> TableOfCatalogRow(std::string_view row) {
  const size_t tenant = row.find('\0');
  const size_t schema = tenant == std::string_view::npos ? tenant : row.find('\0', tenant + 1);
  if (schema == std::string_view::npos) {
    return SqlError(ErrorCode::kIllegalData, Concat("the row ", Hex(row), " of SYSTEM.CATALOG belongs to no table"));
  }
  const size_t name = row.find('\0', schema + 1);
  return TableIdent{std::string(row.substr(tenant + 1, schema - tenant - 1)),
                    std::string(row.substr(schema + 1, name == std::string_view::npos ? name : name - schema - 1))};
}

TableIdent IdentOf(std::string_view name) {
  const size_t point = name.find('.');
  if (point == std::string_view::npos) return {"", std::string(name)};
  return {std::string(name.substr(0, point)), std::string(name.substr(point + 1))};
}

std::vector<RowMutations> CatalogRows(const TableDef& table) {
  std::vector<RowMutations> rows;
  rows.push_back(HeaderRow(table));
  for (const auto& [family, next] : table.next_number) rows.push_back(CounterRow(table, family, next));
  int64_t position = 0;
  for (const ColumnDef& column : table.columns) rows.push_back(ColumnRow(table, column, ++position, table.key_name));
  return rows;
}

std::vector<RowMutations> ViewRows(const TableDef& view, const TableDef& base) {
  std::vector<RowMutations> rows;
  rows.push_back(HeaderRow(view));
  CatalogRow link = LinkRow(view.ident, base.ident.ToString(), kLinkToBase);
  link.Number("TABLE_SEQ_NUM", base.changes, TypeId::kBigint);
  link.Text("TABLE_TYPE", "");
  if (view.parent == base.ident) {
    link.Text("PARENT_TENANT_ID", "");
  } else {
    CatalogRow parent = LinkRow(view.ident, view.parent.ToString(), kLinkToParent);
    parent.Text("PARENT_TENANT_ID", "");
    rows.push_back(std::move(parent).Finish());
  }
  rows.push_back(std::move(link).Finish());
  for (size_t i = view.inherited; i < view.columns.size(); ++i)
    rows.push_back(ColumnRow(view, view.columns[i], static_cast<int64_t>(i) + 1, ""));
  return rows;
}

std::string LinkKey(const TableIdent& table, std::string_view other) {
  return Concat(CatalogKey(table), std::string(2, '\0'), other);
}

RowMutations RemovalOf(const std::string& row) {
  return {.row = row, .mutations = {Mutation{.type = MutationType::kDelete, .row = row}}};
}

RowMutations TouchedRow(const TableDef& table) { return CatalogRow(CatalogKey(table.ident)).Finish(); }

std::vector<RowMutations> IndexRows(const TableDef& index, const TableDef& table) {
  std::vector<RowMutations> rows = CatalogRows(index);
  CatalogRow link = LinkRow(table.ident, index.ident.name, kLinkToIndex);
  link.Number("TABLE_SEQ_NUM", index.changes, TypeId::kBigint);
  link.Text("TABLE_TYPE", std::string(1, index.type));
  rows.push_back(std::move(link).Finish());
  CatalogRow header(CatalogKey(table.ident));
  header.Number("TABLE_SEQ_NUM", table.changes, TypeId::kBigint);
  rows.push_back(std::move(header).Finish());
  return rows;
}

std::vector<RowMutations> RowsOfIndexState(const TableDef& index, const TableDef& table, IndexState state) {
  CatalogRow header(CatalogKey(index.ident));
  header.Text("INDEX_STATE", std::string(1, static_cast<char>(state)));
  header.Number("ASYNC_REBUILD_TIMESTAMP", 0, TypeId::kBigint);
  if (state == IndexState::kActive) header.Number("INDEX_DISABLE_TIMESTAMP", 0, TypeId::kBigint);
  if (state == IndexState::kActive) header.Number("PENDING_DISABLE_COUNT", 0, TypeId::kUnsignedLong);
  std::vector<RowMutations> rows;
  rows.push_back(std::move(header).Finish());
  rows.push_back(TouchedRow(table));
  return rows;
}

RowMutations ChildLinkRow(const TableDef& view) {
  return LinkRow(view.parent, view.ident.ToString(), kLinkToChild).Finish();
}

std::vector<RowMutations> RowsOfUsedNumbers(const TableDef& before, const TableDef& after) {
  std::vector<RowMutations> rows;
  CatalogRow header(CatalogKey(before.ident));
  header.Number("TABLE_SEQ_NUM", before.changes + 1, TypeId::kBigint);
  rows.push_back(std::move(header).Finish());
  for (const auto& [family, next] : after.next_number) {
    const auto old = before.next_number.find(family);
    if (old == before.next_number.end() || old->second != next) rows.push_back(CounterRow(before, family, next));
  }
  return rows;
}

std::vector<RowMutations> RowsOfAddedColumns(const TableDef& after, size_t added) {
  std::vector<RowMutations> rows;
  CatalogRow header = AlteredRow(after);
  const size_t first = after.columns.size() - added;
  bool key = false;
  std::set<std::string> counters;
  for (size_t i = first; i < after.columns.size(); ++i) {
    const ColumnDef& column = after.columns[i];
    rows.push_back(ColumnRow(after, column, static_cast<int64_t>(i) + 1, column.is_key() ? after.key_name : ""));
    if (column.is_key()) key = true;
    if (!column.is_key()) counters.insert(after.QualifierCounter(column.family));
  }
  if (after.view != ViewType::kNone) counters.clear();  // they are the base's
  if (key) header.Flag("ROW_KEY_ORDER_OPTIMIZABLE", true);
  for (const auto& [family, next] : after.next_number)
    if (counters.contains(family)) rows.push_back(CounterRow(after, family, next));
  rows.insert(rows.begin(), std::move(header).Finish());
  return rows;
}

std::vector<RowMutations> RowsOfDroppedColumns(const TableDef& before, const TableDef& after) {
  CatalogRow header = AlteredRow(after);
  header.Flag("CHANGE_DETECTION_ENABLED", false);
  std::vector<RowMutations> rows;
  rows.push_back(std::move(header).Finish());
  size_t kept = 0;
  for (size_t i = 0; i < before.columns.size(); ++i) {
    const std::string key = ColumnKey(before, before.columns[i]);
    if (kept == after.columns.size() || key != ColumnKey(after, after.columns[kept])) {
      rows.push_back(RemovalOf(key));
      continue;
    }
    ++kept;
    if (kept == i + 1) continue;
    CatalogRow moved(key);
    moved.Number("ORDINAL_POSITION", static_cast<int64_t>(kept));
    rows.push_back(std::move(moved).Finish());
  }
  return rows;
}

std::vector<RowMutations> RowsOfNewProperties(const TableDef& before, const TableDef& after) {
  CatalogRow header = AlteredRow(after);
  if (after.immutable != before.immutable) header.Flag("IMMUTABLE_ROWS", after.immutable);
  if (after.store_nulls != before.store_nulls) header.Flag("STORE_NULLS", after.store_nulls);
  if (after.skip_log != before.skip_log) header.Flag("DISABLE_WAL", after.skip_log);
  if (after.cache_ms != before.cache_ms) header.Number("UPDATE_CACHE_FREQUENCY", after.cache_ms, TypeId::kBigint);
  if (after.guide_posts_width != before.guide_posts_width) {
    header.Number("GUIDE_POSTS_WIDTH", after.guide_posts_width, TypeId::kBigint);
  }
  std::vector<RowMutations> rows;
  rows.push_back(std::move(header).Finish());
  return rows;
}

CheckAndMutate IfUnaltered(const TableDef& before, RowMutations row) {
  CheckAndMutate check;
  check.row = std::move(row.row);
  check.family = kDefaultFamily;
  check.qualifier = "TABLE_SEQ_NUM";
  check.comparator = ComparatorSpec{.bytes = EncodeValue(TypeId::kBigint, before.changes)};
  check.mutations = std::move(row.mutations);
  return check;
}

absl::StatusOr<TableDef> TableOfCatalogRows(const TableIdent& ident, const std::vector<std::vector<Cell>>& rows) {
  TableDef table;
  table.ident = ident;
  const std::string key = CatalogKey(ident);
  std::vector<std::pair<int64_t, ColumnDef>> columns;
  for (const std::vector<Cell>& cells : rows) {
    const CellReader reader(cells);
    const std::string_view row = cells.front().row;
    if (row == key) {
      VAQUITA_RETURN_IF_ERROR(ReadHeader(reader, &table));
      int64_t& written_ms = table.written_ms[ident];
      for (const Cell& cell : cells) written_ms = std::max(written_ms, cell.timestamp_ms);
      continue;
    }
    const std::string_view rest = row.substr(key.size() + 1);
    const size_t end = rest.find('\0');
    const std::string_view name = rest.substr(0, end);
    const std::string_view family = end == std::string_view::npos ? "" : rest.substr(end + 1);
    if (const std::string link = reader.Bytes("LINK_TYPE"); !link.empty()) {
      ReadLink(link[0], IdentOf(family), &table);
      continue;
    }
    if (name.empty()) {
      VAQUITA_ASSIGN_OR_RETURN(const int64_t next, reader.Number("QUALIFIER_COUNTER", TypeId::kInteger, 0));
      if (next > 0) table.next_number[std::string(family)] = static_cast<int32_t>(next);
      continue;
    }
    VAQUITA_ASSIGN_OR_RETURN(ColumnDef column, ReadColumn(ident, name, family, reader));
    VAQUITA_ASSIGN_OR_RETURN(const int64_t position, reader.Number("ORDINAL_POSITION", TypeId::kInteger, 0));
    columns.emplace_back(position, std::move(column));
  }
  if (table.parent.name.empty()) table.parent = table.base;
  std::ranges::sort(columns, {}, [](const auto& column) { return column.first; });
  for (auto& [position, column] : columns) table.columns.push_back(std::move(column));
  VAQUITA_RETURN_IF_ERROR(CheckDefinition(table));
  table.SkipUsedNumbers();
  return table;
}

}  // namespace vaquita::sql

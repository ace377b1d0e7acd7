#include "sql/avatica/metadata.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "sql/encoding/like.h"
#include "sql/encoding/text.h"

namespace vaquita::sql {
namespace {

constexpr int64_t kMajorVersion = 5;  // the Phoenix whose answers these are
constexpr int64_t kMinorVersion = 2;
constexpr int64_t kReadCommitted = 2;     // java.sql.Connection
constexpr int64_t kIndexOfOtherKind = 3;  // java.sql.DatabaseMetaData.tableIndexOther

RowList Columns(std::initializer_list<std::pair<std::string_view, TypeId>> columns) {
  RowList list;
  for (const auto& [label, type] : columns) {
    OutputColumn& column = list.columns.emplace_back();
    column.label = column.name = label;
    column.type = type;
  }
  return list;
}

bool Matches(const Pattern& pattern, std::string_view text) {
  if (!pattern.has_value()) return true;
  return pattern->empty() ? text.empty() : MatchesLike(text, *pattern).value_or(false);
}

Value TextOrNull(std::string_view text) { return text.empty() ? Value() : Value(std::string(text)); }
Value OrNull(const std::optional<int32_t>& number) { return number.has_value() ? Value(int64_t{*number}) : Value(); }
Value Flag(bool set) { return int64_t{set}; }

std::string_view TypeNameOf(const TableDef& table) {
  switch (table.type) {
    case 's':
      return "SYSTEM TABLE";
    case 'v':
      return "VIEW";
    case 'i':
      return "INDEX";
    default:
      return "TABLE";
  }
}

Value StateOf(const TableDef& table) {
  switch (table.index_state) {
    case IndexState::kNone:
      break;
    case IndexState::kBuilding:
      return "BUILDING";
    case IndexState::kActive:
      return "ACTIVE";
    case IndexState::kInactive:
      return "INACTIVE";
    case IndexState::kDisabled:
      return "DISABLE";
  }
  return {};
}

Value ViewTypeOf(const TableDef& table) {
  switch (table.view) {
    case ViewType::kNone:
      break;
    case ViewType::kMapped:
      return "MAPPED";
    case ViewType::kReadOnly:
      return "READ_ONLY";
    case ViewType::kUpdatable:
      return "UPDATABLE";
  }
  return {};
}

std::vector<Value> ColumnRow(const TableDef& table, size_t index) {
  const ColumnDef& column = table.columns[index];
  return {Value(),
          TextOrNull(table.ident.schema),
          table.ident.name,
          column.name,
          int64_t{column.type.ResultJdbc()},
          column.type.Name(),
          OrNull(column.type.length),
          Value(),
          column.type.id == TypeId::kDecimal ? OrNull(column.type.scale) : Value(),
          Value(),
          Flag(column.nullable),
          Value(),
          TextOrNull(column.default_text),
          Value(),
          Value(),
          Value(),
          static_cast<int64_t>(index + 1),
          column.nullable ? "true" : "false",
          Value(),
          Value(),
          Value(),
          Value(),
          Value(),
          column.array_size > 0 ? Value(int64_t{column.array_size}) : Value(),
          TextOrNull(column.family),
          int64_t{column.type.jdbc()},
          Value(),
          Flag(false),
          column.is_key() ? Value(int64_t{column.key_position}) : Value()};
}

}  // namespace

RowList MetaTables(const std::vector<TablePtr>& tables, const std::vector<TableIdent>& sequences, const Pattern& schema,
                   const Pattern& name, const std::optional<std::vector<std::string>>& types) {
  const TypeId text = TypeId::kVarchar;
  const TypeId flag = TypeId::kBoolean;
  RowList list = Columns({{"TABLE_CAT", text},
                          {"TABLE_SCHEM", text},
                          {"TABLE_NAME", text},
                          {"TABLE_TYPE", text},
                          {"REMARKS", text},
                          {"TYPE_NAME", text},
                          {"SELF_REFERENCING_COL_NAME", text},
                          {"REF_GENERATION", text},
                          {"INDEX_STATE", text},
                          {"IMMUTABLE_ROWS", flag},
                          {"SALT_BUCKETS", TypeId::kInteger},
                          {"MULTI_TENANT", flag},
                          {"VIEW_STATEMENT", text},
                          {"VIEW_TYPE", text},
                          {"INDEX_TYPE", text},
                          {"TRANSACTIONAL", flag},
                          {"IS_NAMESPACE_MAPPED", flag},
                          {"GUIDE_POSTS_WIDTH", TypeId::kBigint},
                          {"TRANSACTION_PROVIDER", text}});
  for (const auto& table : tables) {
    const std::string type(TypeNameOf(*table));
    if (!Matches(schema, table->ident.schema) || !Matches(name, table->ident.name)) continue;
    if (types.has_value() && std::ranges::find(*types, type) == types->end()) continue;
    std::vector<Value>& row = list.rows.emplace_back(list.columns.size());
    row[1] = TextOrNull(table->ident.schema);
    row[2] = table->ident.name;
    row[3] = type;
    row[8] = StateOf(*table);
    row[9] = Flag(table->immutable);
    row[10] = table->salt_buckets > 0 ? Value(int64_t{table->salt_buckets}) : Value();
    row[11] = row[15] = row[16] = Flag(false);
    row[12] = TextOrNull(table->statement);
    row[13] = ViewTypeOf(*table);
    if (table->is_index()) row[14] = "GLOBAL";
    row[17] = table->guide_posts_width.has_value() ? Value(*table->guide_posts_width) : Value();
  }
  for (const TableIdent& sequence : sequences) {
    if (!Matches(schema, sequence.schema) || !Matches(name, sequence.name)) continue;
    std::vector<Value>& row = list.rows.emplace_back(list.columns.size());
    row[1] = TextOrNull(sequence.schema);
    row[2] = sequence.name;
    row[3] = "SEQUENCE";
  }
  std::ranges::stable_sort(list.rows, {}, [](const std::vector<Value>& row) { return row[3].text(); });
  return list;
}

RowList MetaColumns(const std::vector<TablePtr>& tables, const Pattern& schema, const Pattern& table,
                    const Pattern& column) {
  const TypeId text = TypeId::kVarchar;
  const TypeId number = TypeId::kInteger;
  RowList list = Columns({{"TABLE_CAT", text},
                          {"TABLE_SCHEM", text},
                          {"TABLE_NAME", text},
                          {"COLUMN_NAME", text},
                          {"DATA_TYPE", number},
                          {"TYPE_NAME", text},
                          {"COLUMN_SIZE", number},
                          {"BUFFER_LENGTH", number},
                          {"DECIMAL_DIGITS", number},
                          {"NUM_PREC_RADIX", number},
                          {"NULLABLE", number},
                          {"REMARKS", text},
                          {"COLUMN_DEF", text},
                          {"SQL_DATA_TYPE", number},
                          {"SQL_DATETIME_SUB", number},
                          {"CHAR_OCTET_LENGTH", number},
                          {"ORDINAL_POSITION", number},
                          {"IS_NULLABLE", text},
                          {"SCOPE_CATALOG", text},
                          {"SCOPE_SCHEMA", text},
                          {"SCOPE_TABLE", text},
                          {"SOURCE_DATA_TYPE", text},
                          {"IS_AUTOINCREMENT", TypeId::kSmallint},
                          {"ARRAY_SIZE", number},
                          {"COLUMN_FAMILY", text},
                          {"TYPE_ID", number},
                          {"VIEW_CONSTANT", TypeId::kVarbinary},
                          {"MULTI_TENANT", TypeId::kBoolean},
                          {"KEY_SEQ", TypeId::kSmallint}});
  for (const auto& def : tables) {
    if (!Matches(schema, def->ident.schema) || !Matches(table, def->ident.name)) continue;
    for (size_t i = 0; i < def->columns.size(); ++i)
      if (Matches(column, def->columns[i].name)) list.rows.push_back(ColumnRow(*def, i));
  }
  return list;
}

RowList MetaPrimaryKeys(const std::vector<TablePtr>& tables, const std::string& schema, const std::string& table) {
  const TypeId text = TypeId::kVarchar;
  RowList list = Columns({{"TABLE_CAT", text},
                          {"TABLE_SCHEM", text},
                          {"TABLE_NAME", text},
                          {"COLUMN_NAME", text},
                          {"KEY_SEQ", TypeId::kSmallint},
                          {"PK_NAME", text},
                          {"ASC_OR_DESC", text},
                          {"DATA_TYPE", TypeId::kInteger},
                          {"TYPE_NAME", text},
                          {"COLUMN_SIZE", TypeId::kInteger},
                          {"TYPE_ID", TypeId::kInteger},
                          {"VIEW_CONSTANT", TypeId::kVarbinary}});
  for (const auto& def : tables) {
    if (def->ident.schema != schema || def->ident.name != table) continue;
    for (const ColumnDef& column : def->columns) {
      if (!column.is_key()) continue;
      // Phoenix gives the letter's four bytes as text.
      const std::string order({'\0', '\0', '\0', column.descending ? 'D' : 'A'});
      list.rows.push_back({Value(), TextOrNull(schema), table, column.name, int64_t{column.key_position},
                           TextOrNull(def->key_name), order, int64_t{column.type.ResultJdbc()}, column.type.Name(),
                           OrNull(column.type.length), int64_t{column.type.jdbc()}, Value()});
    }
  }
  std::ranges::sort(list.rows, {}, [](const std::vector<Value>& row) { return row[3].text(); });
  return list;
}

RowList MetaIndexes(const std::vector<TablePtr>& tables, const std::string& schema, const std::string& table,
                    bool unique) {
  const TypeId text = TypeId::kVarchar;
  RowList list = Columns({{"TABLE_CAT", text},
                          {"TABLE_SCHEM", text},
                          {"TABLE_NAME", text},
                          {"NON_UNIQUE", TypeId::kBoolean},
                          {"INDEX_QUALIFIER", text},
                          {"INDEX_NAME", text},
                          {"TYPE", TypeId::kSmallint},
                          {"ORDINAL_POSITION", TypeId::kSmallint},
                          {"COLUMN_NAME", text},
                          {"ASC_OR_DESC", text},
                          {"CARDINALITY", TypeId::kInteger},
                          {"PAGES", TypeId::kInteger},
                          {"FILTER_CONDITION", text},
                          {"DATA_TYPE", TypeId::kInteger},
                          {"TYPE_NAME", text},
                          {"TYPE_ID", TypeId::kInteger},
                          {"COLUMN_FAMILY", text},
                          {"COLUMN_SIZE", TypeId::kInteger},
                          {"ARRAY_SIZE", TypeId::kInteger}});
  for (const auto& index : tables) {
    if (unique || !index->is_index() || index->ident.schema != schema || index->data_table != table) continue;
    for (size_t i = 0; i < index->columns.size(); ++i) {
      const ColumnDef& column = index->columns[i];
      const Value order = column.is_key() ? Value(column.descending ? "D" : "A") : Value();
      list.rows.push_back({Value(), TextOrNull(schema), table, Flag(true), Value(), index->ident.name,
                           kIndexOfOtherKind, static_cast<int64_t>(i + 1), column.name, order, Value(), Value(),
                           Value(), int64_t{column.type.ResultJdbc()}, column.type.Name(), int64_t{column.type.jdbc()},
                           TextOrNull(column.family), OrNull(column.type.length),
                           column.array_size > 0 ? Value(int64_t{column.array_size}) : Value()});
    }
  }
  return list;
}

RowList MetaSchemas(const std::vector<TablePtr>& tables, const Pattern& schema) {
  RowList list = Columns({{"TABLE_SCHEM", TypeId::kVarchar}, {"TABLE_CATALOG", TypeId::kVarchar}});
  std::set<std::string> names;
  for (const auto& table : tables)
    if (Matches(schema, table->ident.schema)) names.insert(table->ident.schema);
  for (const std::string& name : names) list.rows.push_back({TextOrNull(name), Value()});
  return list;
}

RowList MetaCatalogs() { return Columns({{"TABLE_CAT", TypeId::kVarchar}}); }

RowList MetaTableTypes() {
  RowList list = Columns({{"TABLE_TYPE", TypeId::kVarchar}});
  for (const std::string_view type : {"INDEX", "SEQUENCE", "SYSTEM TABLE", "TABLE", "VIEW"}) {
    list.rows.push_back({Value(std::string(type))});
  }
  return list;
}

RowList MetaTypeInfo() { return {}; }

std::vector<std::pair<std::string, Value>> DatabaseProperties() {
  const std::string version = Concat(kMajorVersion, ".", kMinorVersion);
  return {{"AVATICA_VERSION", "1.26.0"},
          {"GET_DATABASE_MAJOR_VERSION", kMajorVersion},
          {"GET_DATABASE_MINOR_VERSION", kMinorVersion},
          {"GET_DATABASE_PRODUCT_NAME", "Phoenix"},
          {"GET_DATABASE_PRODUCT_VERSION", version},
          {"GET_DEFAULT_TRANSACTION_ISOLATION", kReadCommitted},
          {"GET_DRIVER_MAJOR_VERSION", kMajorVersion},
          {"GET_DRIVER_MINOR_VERSION", kMinorVersion},
          {"GET_DRIVER_NAME", "PhoenixEmbeddedDriver"},
          {"GET_DRIVER_VERSION", version},
          {"GET_NUMERIC_FUNCTIONS", ""},
          {"GET_STRING_FUNCTIONS", ""},
          {"GET_SYSTEM_FUNCTIONS", ""},
          {"GET_S_Q_L_KEYWORDS", ""},
          {"GET_TIME_DATE_FUNCTIONS", ""}};
}

}  // namespace vaquita::sql

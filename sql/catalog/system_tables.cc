#include "sql/catalog/system_tables.h"

#include <span>
#include <string>
#include <string_view>

#include "sql/catalog/sequences.h"
#include "sql/catalog/table_rows.h"

namespace vaquita::sql {
namespace {

enum class Place : uint8_t { kKey, kNotNullKey, kValue };

struct SystemColumn {
  std::string_view name;
  TypeId type;
  Place place;
};

constexpr SystemColumn kCatalogColumns[] = {{"TENANT_ID", TypeId::kVarchar, Place::kKey},
                                            {"TABLE_SCHEM", TypeId::kVarchar, Place::kKey},
                                            {"TABLE_NAME", TypeId::kVarchar, Place::kNotNullKey},
                                            {"COLUMN_NAME", TypeId::kVarchar, Place::kKey},
                                            {"COLUMN_FAMILY", TypeId::kVarchar, Place::kKey},
                                            {"TABLE_SEQ_NUM", TypeId::kBigint, Place::kValue},
                                            {"TABLE_TYPE", TypeId::kChar, Place::kValue},
                                            {"PK_NAME", TypeId::kVarchar, Place::kValue},
                                            {"COLUMN_COUNT", TypeId::kInteger, Place::kValue},
                                            {"SALT_BUCKETS", TypeId::kInteger, Place::kValue},
                                            {"DATA_TABLE_NAME", TypeId::kVarchar, Place::kValue},
                                            {"INDEX_STATE", TypeId::kChar, Place::kValue},
                                            {"IMMUTABLE_ROWS", TypeId::kBoolean, Place::kValue},
                                            {"VIEW_STATEMENT", TypeId::kVarchar, Place::kValue},
                                            {"DEFAULT_COLUMN_FAMILY", TypeId::kVarchar, Place::kValue},
                                            {"DISABLE_WAL", TypeId::kBoolean, Place::kValue},
                                            {"MULTI_TENANT", TypeId::kBoolean, Place::kValue},
                                            {"VIEW_TYPE", TypeId::kUnsignedTinyint, Place::kValue},
                                            {"VIEW_INDEX_ID", TypeId::kBigint, Place::kValue},
                                            {"VIEW_INDEX_ID_DATA_TYPE", TypeId::kInteger, Place::kValue},
                                            {"PHOENIX_TTL", TypeId::kBigint, Place::kValue},
                                            {"PHOENIX_TTL_HWM", TypeId::kBigint, Place::kValue},
                                            {"LAST_DDL_TIMESTAMP", TypeId::kBigint, Place::kValue},
                                            {"CHANGE_DETECTION_ENABLED", TypeId::kBoolean, Place::kValue},
                                            {"SCHEMA_VERSION", TypeId::kVarchar, Place::kValue},
                                            {"EXTERNAL_SCHEMA_ID", TypeId::kVarchar, Place::kValue},
                                            {"STREAMING_TOPIC_NAME", TypeId::kVarchar, Place::kValue},
                                            {"INDEX_WHERE", TypeId::kVarchar, Place::kValue},
                                            {"DATA_TYPE", TypeId::kInteger, Place::kValue},
                                            {"COLUMN_SIZE", TypeId::kInteger, Place::kValue},
                                            {"DECIMAL_DIGITS", TypeId::kInteger, Place::kValue},
                                            {"NULLABLE", TypeId::kInteger, Place::kValue},
                                            {"ORDINAL_POSITION", TypeId::kInteger, Place::kValue},
                                            {"SORT_ORDER", TypeId::kInteger, Place::kValue},
                                            {"ARRAY_SIZE", TypeId::kInteger, Place::kValue},
                                            {"VIEW_CONSTANT", TypeId::kVarbinary, Place::kValue},
                                            {"IS_VIEW_REFERENCED", TypeId::kBoolean, Place::kValue},
                                            {"KEY_SEQ", TypeId::kSmallint, Place::kValue},
                                            {"LINK_TYPE", TypeId::kUnsignedTinyint, Place::kValue},
                                            {"TYPE_NAME", TypeId::kVarchar, Place::kValue},
                                            {"REMARKS", TypeId::kVarchar, Place::kValue},
                                            {"SELF_REFERENCING_COL_NAME", TypeId::kVarchar, Place::kValue},
                                            {"REF_GENERATION", TypeId::kVarchar, Place::kValue},
                                            {"BUFFER_LENGTH", TypeId::kInteger, Place::kValue},
                                            {"NUM_PREC_RADIX", TypeId::kInteger, Place::kValue},
                                            {"COLUMN_DEF", TypeId::kVarchar, Place::kValue},
                                            {"SQL_DATA_TYPE", TypeId::kInteger, Place::kValue},
                                            {"SQL_DATETIME_SUB", TypeId::kInteger, Place::kValue},
                                            {"CHAR_OCTET_LENGTH", TypeId::kInteger, Place::kValue},
                                            {"IS_NULLABLE", TypeId::kVarchar, Place::kValue},
                                            {"SCOPE_CATALOG", TypeId::kVarchar, Place::kValue},
                                            {"SCOPE_SCHEMA", TypeId::kVarchar, Place::kValue},
                                            {"SCOPE_TABLE", TypeId::kVarchar, Place::kValue},
                                            {"SOURCE_DATA_TYPE", TypeId::kSmallint, Place::kValue},
                                            {"IS_AUTOINCREMENT", TypeId::kVarchar, Place::kValue},
                                            {"INDEX_TYPE", TypeId::kUnsignedTinyint, Place::kValue},
                                            {"INDEX_DISABLE_TIMESTAMP", TypeId::kBigint, Place::kValue},
                                            {"STORE_NULLS", TypeId::kBoolean, Place::kValue},
                                            {"BASE_COLUMN_COUNT", TypeId::kInteger, Place::kValue},
                                            {"IS_ROW_TIMESTAMP", TypeId::kBoolean, Place::kValue},
                                            {"TRANSACTIONAL", TypeId::kBoolean, Place::kValue},
                                            {"UPDATE_CACHE_FREQUENCY", TypeId::kBigint, Place::kValue},
                                            {"IS_NAMESPACE_MAPPED", TypeId::kBoolean, Place::kValue},
                                            {"AUTO_PARTITION_SEQ", TypeId::kVarchar, Place::kValue},
                                            {"APPEND_ONLY_SCHEMA", TypeId::kBoolean, Place::kValue},
                                            {"GUIDE_POSTS_WIDTH", TypeId::kBigint, Place::kValue},
                                            {"COLUMN_QUALIFIER", TypeId::kVarbinary, Place::kValue},
                                            {"IMMUTABLE_STORAGE_SCHEME", TypeId::kTinyint, Place::kValue},
                                            {"ENCODING_SCHEME", TypeId::kTinyint, Place::kValue},
                                            {"QUALIFIER_COUNTER", TypeId::kInteger, Place::kValue},
                                            {"USE_STATS_FOR_PARALLELIZATION", TypeId::kBoolean, Place::kValue},
                                            {"TRANSACTION_PROVIDER", TypeId::kTinyint, Place::kValue},
                                            {"PHYSICAL_TABLE_NAME", TypeId::kVarchar, Place::kValue}};

constexpr SystemColumn kChildLinkColumns[] = {
    {"TENANT_ID", TypeId::kVarchar, Place::kKey},         {"TABLE_SCHEM", TypeId::kVarchar, Place::kKey},
    {"TABLE_NAME", TypeId::kVarchar, Place::kNotNullKey}, {"COLUMN_NAME", TypeId::kVarchar, Place::kKey},
    {"COLUMN_FAMILY", TypeId::kVarchar, Place::kKey},     {"LINK_TYPE", TypeId::kUnsignedTinyint, Place::kValue}};

constexpr SystemColumn kSequenceColumns[] = {{"TENANT_ID", TypeId::kVarchar, Place::kKey},
                                             {"SEQUENCE_SCHEMA", TypeId::kVarchar, Place::kKey},
                                             {"SEQUENCE_NAME", TypeId::kVarchar, Place::kNotNullKey},
                                             {"START_WITH", TypeId::kBigint, Place::kValue},
                                             {"CURRENT_VALUE", TypeId::kBigint, Place::kValue},
                                             {"INCREMENT_BY", TypeId::kBigint, Place::kValue},
                                             {"CACHE_SIZE", TypeId::kBigint, Place::kValue},
                                             {"MIN_VALUE", TypeId::kBigint, Place::kValue},
                                             {"MAX_VALUE", TypeId::kBigint, Place::kValue},
                                             {"CYCLE_FLAG", TypeId::kBoolean, Place::kValue},
                                             {"LIMIT_REACHED_FLAG", TypeId::kBoolean, Place::kValue}};

TablePtr Define(std::string_view name, std::span<const SystemColumn> columns) {
  auto table = std::make_shared<TableDef>();
  table->ident = IdentOf(name);
  table->type = 's';
  table->encoding = QualifierEncoding::kNames;
  table->not_writable = "it is one of Phoenix's own";
  int32_t keys = 0;
  for (const SystemColumn& column : columns) {
    ColumnDef& def = table->columns.emplace_back();
    def.name = column.name;
    def.type = column.type;
    if (column.type == TypeId::kChar) def.type.length = 1;
    def.nullable = column.place != Place::kNotNullKey;
    if (column.place == Place::kValue) {
      def.family = kDefaultFamily;
      def.qualifier = column.name;
    } else {
      def.key_position = ++keys;
    }
  }
  return table;
}

}  // namespace

const std::vector<TablePtr>& SystemTables() {
  static const auto* tables =
      new std::vector<TablePtr>{Define(kCatalogTable, kCatalogColumns), Define(kChildLinkTable, kChildLinkColumns),
                                Define(kSequenceTable, kSequenceColumns)};
  return *tables;
}

}  // namespace vaquita::sql

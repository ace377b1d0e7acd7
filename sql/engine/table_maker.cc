#include "sql/engine/table_maker.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/status.h"
#include "model/cell.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"
#include "sql/engine/table_options.h"
#include "sql/front/parser.h"

namespace vaquita::sql {
namespace {

// A null has no bytes, so a key column that may be null has to end with a separator.
absl::Status CheckWidthOfNullable(const ColumnDef& column) {
  if (column.type.FixedWidth() == 0) return absl::OkStatus();
  return SqlError(ErrorCode::kIllegalData,
                  Concat("PK columns may not be both fixed width and nullable: ", column.name));
}

class TableMaker {
 public:
  explicit TableMaker(const CreateTable& create) : create_(create) {}

  absl::StatusOr<NewTable> Run() {
    TableDef& def = made_.def;
    def.ident = create_.table;
    def.key_name = create_.key_name;
    VAQUITA_RETURN_IF_ERROR(OwnOptions());
    if (def.immutable && !storage_given_) def.one_cell = true;
    if (def.encoding == QualifierEncoding::kNames) def.one_cell = false;
    VAQUITA_RETURN_IF_ERROR(Columns());
    VAQUITA_RETURN_IF_ERROR(Key());
    VAQUITA_RETURN_IF_ERROR(Descriptor());
    VAQUITA_RETURN_IF_ERROR(Splits());
    return std::move(made_);
  }

 private:
  // Takes the options that are Phoenix's, and leaves HBase's for the descriptor.
  absl::Status OwnOptions() {
    for (const TableOption& option : create_.options) {
      if (option.name == "SALT_BUCKETS") {
        const auto buckets = NumberOption(option, 0, kMostSaltBuckets);
        if (!buckets.ok()) return SqlError(ErrorCode::kInvalidBucketCount);
        made_.def.salt_buckets = static_cast<int32_t>(*buckets);
      } else if (option.name == "COLUMN_ENCODED_BYTES") {
        const bool none = option.value == "NONE";
        VAQUITA_ASSIGN_OR_RETURN(const int64_t bytes, none ? 0 : NumberOption(option, 0, 4));
        made_.def.encoding = static_cast<QualifierEncoding>(bytes);
      } else if (option.name == "IMMUTABLE_STORAGE_SCHEME") {
        storage_given_ = true;
        made_.def.one_cell = SameIgnoringCase(option.value, "SINGLE_CELL_ARRAY_WITH_OFFSETS");
        if (!made_.def.one_cell && !SameIgnoringCase(option.value, "ONE_CELL_PER_COLUMN")) {
          return SqlError(ErrorCode::kIllegalData, Concat("IMMUTABLE_STORAGE_SCHEME=", option.value));
        }
      } else if (option.name == "DEFAULT_COLUMN_FAMILY") {
        made_.def.default_family = option.value;
      } else {
        VAQUITA_ASSIGN_OR_RETURN(const bool own, SetOwnProperty(option, &made_.def));
        if (!own) hbase_options_.push_back(option);
      }
    }
    made_.def.immutable = made_.def.immutable || create_.immutable;
    return absl::OkStatus();
  }

  absl::Status Columns() {
    TableDef& def = made_.def;
    std::set<std::pair<std::string, std::string>> names;
    for (const ColumnDeclaration& declared : create_.columns) {
      VAQUITA_ASSIGN_OR_RETURN(ColumnDef column, MakeColumn(declared, def));
      def.columns.push_back(std::move(column));
      VAQUITA_RETURN_IF_ERROR(def.CheckColumns());
      if (!names.emplace(declared.family, declared.name).second) {
        return ColumnError(ErrorCode::kColumnExists, declared.name, create_.table.ToString());
      }
      if (!declared.primary_key) continue;
      if (!create_.key.empty() || !inline_key_.empty()) {
        return ColumnError(ErrorCode::kPrimaryKeyAlreadyExists, declared.name);
      }
      if (!declared.family.empty()) {
        return ColumnError(ErrorCode::kFamilyOfKeyColumn, declared.name, declared.family);
      }
      inline_key_.emplace_back(declared.name, declared.descending);
      def.columns.back().nullable = false;
    }
    return absl::OkStatus();
  }

  absl::Status Key() {
    TableDef& def = made_.def;
    const auto& key = create_.key.empty() ? inline_key_ : create_.key;
    if (key.empty()) return TableError(ErrorCode::kPrimaryKeyMissing, def.ident.ToString());
    std::unordered_map<std::string, ColumnDef*> columns;  // the first of each name
    for (ColumnDef& column : def.columns) columns.emplace(column.name, &column);
    int32_t position = 0;
    for (const auto& [name, descending] : key) {
      const auto found = columns.find(name);
      if (found == columns.end()) return ColumnError(ErrorCode::kUndefinedColumn, name, create_.table.ToString());
      ColumnDef* const column = found->second;
      if (column->is_key()) return TableError(ErrorCode::kInvalidKeyColumn, def.ident.ToString());
      column->key_position = ++position;
      column->descending = descending;
      column->family.clear();
      if (key.size() == 1) column->nullable = false;
      VAQUITA_RETURN_IF_ERROR(CheckKeyColumn(*column, position == static_cast<int32_t>(key.size())));
    }
    VAQUITA_RETURN_IF_ERROR(CheckKeyWidth(def));
    for (ColumnDef& column : def.columns) {
      if (column.is_key()) continue;
      if (!column.nullable && !def.immutable) {
        return ColumnError(ErrorCode::kNotNullOfNonKey, column.name, create_.table.ToString());
      }
      VAQUITA_RETURN_IF_ERROR(def.GiveQualifier(&column));
    }
    return absl::OkStatus();
  }

  absl::Status CheckKeyColumn(const ColumnDef& column, bool last) const {
    if (column.type.array) return NotSupported(Concat("The array ", column.name, " in a key"));
    const bool bytes = column.type.id == TypeId::kVarbinary;
    if (bytes && column.descending) return ColumnError(ErrorCode::kDescendingVarbinary, column.name);
    if (bytes && !last) return ColumnError(ErrorCode::kVarbinaryInKey, column.name, create_.table.ToString());
    return column.nullable ? CheckWidthOfNullable(column) : absl::OkStatus();
  }

  absl::Status Descriptor() {
    TableDescriptor& descriptor = made_.descriptor;
    descriptor.name = made_.def.HBaseName();
    for (const std::string& name : made_.def.Families()) descriptor.families[name] = NewFamily(name);
    for (const TableOption& option : hbase_options_) VAQUITA_RETURN_IF_ERROR(SetHBaseOption(option, &descriptor));
    return absl::OkStatus();
  }

  absl::Status Splits() {
    const std::vector<KeyColumn> key = made_.def.KeyColumns();
    if (made_.def.salt_buckets > 0) {
      if (!create_.splits.empty()) return NotSupported("SPLIT ON of a salted table");
      made_.splits = SaltSplits(key, made_.def.salt_buckets);
    }
    for (const ExprPtr& split : create_.splits) {
      if (split->kind != ExprKind::kLiteral || split->literal.is_null()) {
        return NotSupported("SPLIT ON with anything but literals");
      }
      std::string bytes;
      if (split->type.kind() == ValueKind::kText) {
        bytes = split->literal.text();  // as it is, also where the column is CHAR
      } else {
        VAQUITA_ASSIGN_OR_RETURN(const Value value, CoerceValue(split->type, key[0].type, split->literal, "SPLIT ON"));
        bytes = EncodeValue(key[0].type, value);
      }
      made_.splits.push_back(PaddedSplit(key, bytes, false));
    }
    std::ranges::sort(made_.splits);
    return absl::OkStatus();
  }

  const CreateTable& create_;
  NewTable made_;
  std::vector<std::pair<std::string, bool>> inline_key_;
  std::vector<TableOption> hbase_options_;
  bool storage_given_ = false;
};

}  // namespace

absl::Status CheckKeyWidth(const TableDef& table) {
  const int64_t width = WidthOfKey(table.KeyColumns()) + (table.salt_buckets > 0 ? 1 : 0);
  if (width <= static_cast<int64_t>(kMaxRowLength)) return absl::OkStatus();
  return SqlError(ErrorCode::kDataExceedsMaxCapacity, Concat("The row key of ", table.ident.ToString(), " has ", width,
                                                             " bytes; at most ", kMaxRowLength, " are possible"));
}

absl::StatusOr<ColumnDef> MakeColumn(const ColumnDeclaration& declared, const TableDef& table) {
  ColumnDef column;
  column.name = declared.name;
  column.type = declared.type;
  column.array_size = declared.array_size;
  column.nullable = !declared.not_null;
  column.default_text = declared.default_text;
  column.family = declared.family.empty() ? table.DefaultFamily() : declared.family;
  if (declared.default_text.empty()) return column;
  VAQUITA_ASSIGN_OR_RETURN(const ExprPtr expr, ParseExpression(declared.default_text));
  if (expr->kind != ExprKind::kLiteral) return NotSupported(Concat("DEFAULT ", declared.default_text));
  VAQUITA_RETURN_IF_ERROR(CoerceValue(expr->type, column.type, expr->literal, column.name).status());
  return column;
}

namespace {

// Rows that are there end before the new column, so it must be null in them.
absl::Status AddToKey(const ColumnDeclaration& declared, const TableDef& table, ColumnDef* column) {
  if (declared.not_null) return ColumnError(ErrorCode::kKeyColumnNotNull, column->name);
  const std::vector<int32_t> key = table.KeyIndexes();
  if (key.empty()) return TableError(ErrorCode::kPrimaryKeyMissing, table.ident.ToString());
  const ColumnDef& last = table.columns[static_cast<size_t>(key.back())];
  // The parent reads the view's rows, too, and its last column would be all bytes that follow.
  if (static_cast<size_t>(key.back()) < table.inherited && last.type.FixedWidth() == 0) {
    return ColumnError(ErrorCode::kKeyOfViewAfterVariable, column->name, table.ident.ToString());
  }
  if (last.type.id == TypeId::kVarbinary || last.type.array) {
    return ColumnError(ErrorCode::kKeyEndsWithVarbinary, last.name);
  }
  VAQUITA_RETURN_IF_ERROR(CheckWidthOfNullable(*column));
  if (column->type.array) return NotSupported(Concat("The array ", column->name, " in a key"));
  if (column->type.id == TypeId::kVarbinary && declared.descending) {
    return ColumnError(ErrorCode::kDescendingVarbinary, column->name);
  }
  column->family.clear();
  column->key_position = static_cast<int32_t>(key.size()) + 1;
  column->descending = declared.descending;
  return absl::OkStatus();
}

}  // namespace

absl::Status AddColumn(const ColumnDeclaration& declared, ColumnDef column, TableDef* table) {
  const std::string name = table->ident.ToString();
  const auto other = std::ranges::find_if(table->columns, [&](const ColumnDef& candidate) {
    const bool same_place = candidate.is_key() || declared.primary_key || candidate.family == column.family;
    return candidate.name == column.name && same_place;
  });
  if (other != table->columns.end()) {
    return other->is_key() ? TableError(ErrorCode::kColumnExists, name)
                           : ColumnError(ErrorCode::kColumnExists, column.name, name);
  }
  if (declared.primary_key) {
    VAQUITA_RETURN_IF_ERROR(AddToKey(declared, *table, &column));
  } else {
    if (!column.nullable && !table->immutable) return ColumnError(ErrorCode::kNotNullOfNonKey, column.name);
    VAQUITA_RETURN_IF_ERROR(table->GiveQualifier(&column));
  }
  table->columns.push_back(std::move(column));
  return table->CheckColumns();
}

absl::StatusOr<NewTable> MakeTable(const CreateTable& create) { return TableMaker(create).Run(); }

}  // namespace vaquita::sql

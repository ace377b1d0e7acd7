#include "sql/engine/index_maker.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/fault_point.h"
#include "base/status.h"
#include "client/admin.h"
#include "sql/encoding/index_value.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/engine/indexed_writer.h"
#include "sql/engine/statements.h"
#include "sql/engine/table_maker.h"
#include "sql/engine/table_options.h"
#include "sql/plan/expression_parts.h"
#include "sql/plan/functions.h"
#include "sql/plan/index_columns.h"
#include "sql/plan/resolver.h"

namespace vaquita::sql {
namespace {

constexpr char kPriority[] = "1000";  // Phoenix's, for RPCs to the index

// Returns whether the expression may have another value when the same row is read again.
bool Changes(const Expr& expr) {
  static constexpr std::string_view kChanging[] = {"RAND", "NOW", "CURRENT_DATE", "CURRENT_TIME",
                                                   "PHOENIX_ROW_TIMESTAMP"};
  return AnyPart(expr, [](const Expr& part) {
    return part.kind == ExprKind::kFunction && std::ranges::find(kChanging, part.text) != std::end(kChanging);
  });
}

bool IsNullable(const Expr& expr, const TableDef& table) {
  return expr.kind != ExprKind::kColumn || table.columns[static_cast<size_t>(expr.column)].nullable;
}

class IndexMaker {
 public:
  IndexMaker(const CreateIndex& create, TablePtr table) : create_(create), table_(std::move(table)) {}

  absl::StatusOr<NewTable> Run() {
    VAQUITA_RETURN_IF_ERROR(Start());
    for (const IndexColumn& column : create_.columns) VAQUITA_RETURN_IF_ERROR(AddColumn(column));
    VAQUITA_RETURN_IF_ERROR(AddKeyOfTable());
    VAQUITA_RETURN_IF_ERROR(CheckKeyWidth(made_.def));
    VAQUITA_RETURN_IF_ERROR(AddIncluded());
    VAQUITA_RETURN_IF_ERROR(Descriptor());
    VAQUITA_RETURN_IF_ERROR(Splits());
    return std::move(made_);
  }

 private:
  absl::Status Start() {
    TableDef& def = made_.def;
    def.ident = {create_.table.schema, create_.name};
    def.type = 'i';
    def.data_table = table_->ident.name;
    def.index_state = IndexState::kBuilding;
    def.immutable = table_->immutable;
    def.one_cell = table_->one_cell;
    def.encoding = table_->encoding;
    def.salt_buckets = table_->salt_buckets;
    def.default_family = table_->default_family;
    def.skip_log = table_->skip_log;
    for (const TableOption& option : create_.options) {
      if (option.name == "UPDATE_CACHE_FREQUENCY") return SqlError(ErrorCode::kCacheFrequencyOfIndex);
      if (option.name == "SALT_BUCKETS") {
        VAQUITA_ASSIGN_OR_RETURN(const int64_t buckets, NumberOption(option, 0, 256));
        def.salt_buckets = static_cast<int32_t>(buckets);
      } else if (IsFamilyOption(option.name)) {
        hbase_options_.push_back(option);
      } else {
        return NotSupported(Concat(option.name, " of an index"));
      }
    }
    return absl::OkStatus();
  }

  // Adds a column to the key.
  absl::Status AddToKey(ColumnDef column, const SqlType& type, bool nullable) {
    TableDef& def = made_.def;
    column.type = TypeInIndex(type, nullable);
    column.nullable = nullable;
    column.key_position = static_cast<int32_t>(def.columns.size()) + 1;
    if (std::ranges::find(def.columns, column.name, &ColumnDef::name) != def.columns.end()) {
      return ColumnError(ErrorCode::kColumnExists, column.name, def.ident.ToString());
    }
    if (type.array || column.type.id == TypeId::kVarbinary) {
      return NotSupported(Concat("The ", type.Name(), " ", column.name, " in the key of an index"));
    }
    def.columns.push_back(std::move(column));
    return absl::OkStatus();
  }

  absl::Status AddColumn(const IndexColumn& declared) {
    Scope scope;
    ResolvedSource& source = scope.sources.emplace_back();
    source.table = table_;
    source.alias = create_.table.name;
    ExprPtr expr = declared.expr;
    if (Changes(*expr)) return SqlError(ErrorCode::kRandomInIndex);
    if (HasSubquery(*expr)) return NotSupported("A sub-query in an index");
    VAQUITA_RETURN_IF_ERROR(Resolver(nullptr, 0).Resolve(expr.get(), scope));
    if (HasAggregate(*expr)) return SqlError(ErrorCode::kAggregateInIndex);
    if (!HasColumn(*expr)) return SqlError(ErrorCode::kConstantInIndex);
    ColumnDef column;
    column.descending = declared.descending;
    if (expr->kind == ExprKind::kColumn) {
      const ColumnDef& of_table = table_->columns[static_cast<size_t>(expr->column)];
      VAQUITA_RETURN_IF_ERROR(CheckDefault(of_table));
      column.name = NameInIndex(of_table);
      Expr named = *expr;
      named.qualifier = of_table.family == table_->DefaultFamily() ? "" : of_table.family;
      VAQUITA_ASSIGN_OR_RETURN(column.default_text, TextInIndex(named));
      if (of_table.is_key()) column.default_text = Concat("\"", of_table.name, "\"");
    } else {
      VAQUITA_ASSIGN_OR_RETURN(column.default_text, TextInIndex(*expr));
      column.name = Concat(":", column.default_text);
      for (const ColumnDef& of_table : table_->columns)
        if (!of_table.default_text.empty()) return CheckDefault(of_table);
    }
    SqlType type = TypeOfIndexed(*expr);
    if (expr->kind == ExprKind::kFunction && expr->text == "SUBSTR" && expr->children.size() == 3 &&
        std::holds_alternative<int64_t>(expr->children[2]->literal)) {
      type.length = static_cast<int32_t>(std::clamp<int64_t>(expr->children[2]->literal.integer(), 0, INT32_MAX));
    }
    return AddToKey(std::move(column), type, IsNullable(*expr, *table_));
  }

  static absl::Status CheckDefault(const ColumnDef& column) {
    return column.default_text.empty() ? absl::OkStatus()
                                       : NotSupported(Concat("An index with ", column.name, ", which has a DEFAULT"));
  }

  // The table's key stands behind the index's own columns, but for those that are among them.
  absl::Status AddKeyOfTable() {
    for (const int32_t i : table_->KeyIndexes()) {
      const ColumnDef& of_table = table_->columns[static_cast<size_t>(i)];
      ColumnDef column;
      column.name = NameInIndex(of_table);
      if (std::ranges::find(made_.def.columns, column.name, &ColumnDef::name) != made_.def.columns.end()) continue;
      column.descending = of_table.descending;
      column.default_text = Concat("\"", of_table.name, "\"");
      VAQUITA_RETURN_IF_ERROR(AddToKey(std::move(column), of_table.type, of_table.nullable));
    }
    return absl::OkStatus();
  }

  absl::Status AddIncluded() {
    TableDef& def = made_.def;
    for (const ColumnName& name : create_.included) {
      const int32_t i = table_->FindColumn(name);
      if (i < 0) return ColumnError(ErrorCode::kUndefinedColumn, name.name, table_->ident.ToString());
      const ColumnDef& of_table = table_->columns[static_cast<size_t>(i)];
      if (of_table.is_key()) continue;  // it is there
      VAQUITA_RETURN_IF_ERROR(CheckDefault(of_table));
      ColumnDef column;
      column.name = NameInIndex(of_table);
      const auto same = std::ranges::find(def.columns, column.name, &ColumnDef::name);
      if (same != def.columns.end()) {
        return same->is_key() ? SqlError(ErrorCode::kColumnExists)
                              : ColumnError(ErrorCode::kColumnExists, column.name, def.ident.ToString());
      }
      column.family = of_table.family;
      column.type = of_table.type;
      column.array_size = of_table.array_size;
      column.nullable = of_table.nullable;
      VAQUITA_RETURN_IF_ERROR(def.GiveQualifier(&column));
      def.columns.push_back(std::move(column));
    }
    return absl::OkStatus();
  }

  absl::Status Descriptor() {
    TableDescriptor& descriptor = made_.descriptor;
    descriptor.name = made_.def.HBaseName();
    for (const std::string& name : made_.def.Families()) descriptor.families[name] = NewFamily(name);
    for (const TableOption& option : hbase_options_) VAQUITA_RETURN_IF_ERROR(SetHBaseOption(option, &descriptor));
    VAQUITA_RETURN_IF_ERROR(descriptor.Set("DATA_TABLE_NAME", table_->ident.ToString()));
    return descriptor.Set("PRIORITY", kPriority);
  }

  absl::Status Splits() {
    const std::vector<KeyColumn> key = made_.def.KeyColumns();
    if (made_.def.salt_buckets > 0) made_.splits = SaltSplits(key, made_.def.salt_buckets);
    for (const ExprPtr& split : create_.splits) {
      if (made_.def.salt_buckets > 0) return NotSupported("SPLIT ON of a salted index");
      if (split->kind != ExprKind::kLiteral || split->type.kind() != ValueKind::kText || split->literal.is_null()) {
        return NotSupported("SPLIT ON of an index with anything but text");
      }
      made_.splits.push_back(PaddedSplit(key, split->literal.text(), false));
    }
    std::ranges::sort(made_.splits);
    return absl::OkStatus();
  }

  const CreateIndex& create_;
  const TablePtr table_;
  NewTable made_;
  std::vector<TableOption> hbase_options_;
};

// Returns an error if a view of the table, or a view of one, has more key columns: such rows fit into no index.
absl::Status CheckKeysOfViews(SessionState* state, const TableIdent& table, std::set<TableIdent>* seen) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<TableIdent> names, state->catalog.ViewsOf(table));
  for (const TableIdent& name : names) {
    if (!seen->insert(name).second) continue;
    const auto view = state->catalog.Find(name);
    if (IsSqlError(view.status(), ErrorCode::kUndefinedTable)) continue;  // it was dropped just now
    VAQUITA_RETURN_IF_ERROR(view.status());
    const auto& columns = (*view)->columns;
    if (std::any_of(columns.begin() + static_cast<ptrdiff_t>((*view)->inherited), columns.end(),
                    [](const ColumnDef& column) { return column.is_key(); })) {
      return SqlError(ErrorCode::kIndexUnderKeyOfView);
    }
    VAQUITA_RETURN_IF_ERROR(CheckKeysOfViews(state, name, seen));
  }
  return absl::OkStatus();
}

// Returns the table's index of that name, null if there is none.
TablePtr IndexOf(const TableDef& table, const std::string& name) {
  for (const TablePtr& index : table.indexes)
    if (index->ident.name == name) return index;
  return nullptr;
}

// Fills an index that writers keep already, and lets readers use it.
absl::StatusOr<int64_t> Fill(SessionState* state, const TablePtr& index, const TablePtr& table) {
  FaultPoint("index:listed");
  WaitForWriters();
  VAQUITA_ASSIGN_OR_RETURN(const int64_t rows, BuildIndex(state->connection, index, table));
  VAQUITA_RETURN_IF_ERROR(state->catalog.SetIndexState(*index, *table, IndexState::kActive));
  return rows;
}

// A CREATE INDEX that was killed may have left the index's HBase table, of which the catalog knows nothing.
absl::Status RemoveRest(SessionState* state, const TableDescriptor& descriptor) {
  const auto admin = state->connection->GetAdmin();
  const auto present = admin->GetDescriptor(descriptor.name);
  if (!present.ok()) return absl::OkStatus();  // there is none
  const auto of = present->attributes.find("DATA_TABLE_NAME");
  if (of == present->attributes.end() || of->second != descriptor.attributes.at("DATA_TABLE_NAME")) {
    return TableError(ErrorCode::kTableExists, descriptor.name.qualifier);
  }
  (void)admin->DisableTable(descriptor.name);
  return admin->DeleteTable(descriptor.name);
}

}  // namespace

absl::Status RemoveIndex(SessionState* state, const TableDef& index, const TableDef& table) {
  VAQUITA_RETURN_IF_ERROR(state->catalog.UnlistIndex(index, table));
  WaitForWriters();
  return state->catalog.DropIndexRows(index);
}

absl::StatusOr<int64_t> RunCreateIndex(SessionState* state, const CreateIndex& create) {
  VAQUITA_ASSIGN_OR_RETURN(const TablePtr table, state->catalog.Find(create.table));
  const TableIdent ident{create.table.schema, create.name};
  if (table->is_index()) return TableError(ErrorCode::kTableNotMutable, create.table.ToString());
  if (table->view != ViewType::kNone) return NotSupported("CREATE INDEX on a view");
  VAQUITA_RETURN_IF_ERROR(CheckWritable(state, *table));
  std::set<TableIdent> views;
  VAQUITA_RETURN_IF_ERROR(CheckKeysOfViews(state, table->ident, &views));
  VAQUITA_ASSIGN_OR_RETURN(const NewTable made, IndexMaker(create, table).Run());
  {
    // Another session may be making the same index, whose HBase table would look like a rest.
    static std::mutex making;
    const std::lock_guard lock(making);
    const absl::Status other = state->catalog.Find(ident).status();
    if (other.ok()) {
      if (create.if_not_exists) return 0;
      return TableError(ErrorCode::kTableExists, ident.ToString());
    }
    if (!IsSqlError(other, ErrorCode::kUndefinedTable)) return other;
    VAQUITA_RETURN_IF_ERROR(RemoveRest(state, made.descriptor));
    VAQUITA_RETURN_IF_ERROR(state->catalog.CreateIndex(made.def, *table, made.descriptor, made.splits));
  }
  const auto index = std::make_shared<const TableDef>(made.def);
  absl::StatusOr<int64_t> rows = Fill(state, index, table);
  // Nobody reads an index that is not whole, and a row that it cannot have could not be written any more.
  if (!rows.ok()) (void)RemoveIndex(state, *index, *table);
  return rows;
}

absl::StatusOr<int64_t> RunDropIndex(SessionState* state, const DropIndex& drop) {
  const TableIdent ident{drop.table.schema, drop.name};
  const auto index = state->catalog.Find(ident);
  if (IsSqlError(index.status(), ErrorCode::kUndefinedTable) || (index.ok() && !(*index)->is_index())) {
    return drop.if_exists ? absl::StatusOr<int64_t>(0) : TableError(ErrorCode::kUndefinedIndex, ident.ToString());
  }
  VAQUITA_RETURN_IF_ERROR(index.status());
  if ((*index)->data_table != drop.table.name) return TableError(ErrorCode::kIndexOfOtherTable, ident.ToString());
  VAQUITA_ASSIGN_OR_RETURN(const TablePtr table, state->catalog.Find(drop.table));
  VAQUITA_RETURN_IF_ERROR(CheckWritable(state, *table));
  VAQUITA_RETURN_IF_ERROR(RemoveIndex(state, **index, *table));
  return 0;
}

absl::StatusOr<int64_t> RunAlterIndex(SessionState* state, const AlterIndex& alter) {
  VAQUITA_ASSIGN_OR_RETURN(const TablePtr table, state->catalog.Find(alter.table));
  const TablePtr index = IndexOf(*table, alter.name);
  if (index == nullptr)
    return alter.if_exists ? absl::StatusOr<int64_t>(0) : TableError(ErrorCode::kUndefinedIndex, alter.name);
  VAQUITA_RETURN_IF_ERROR(CheckWritable(state, *table));
  const auto set = [&](IndexState to) -> absl::StatusOr<int64_t> {
    VAQUITA_RETURN_IF_ERROR(state->catalog.SetIndexState(*index, *table, to));
    return 0;
  };
  const bool kept = index->index_state == IndexState::kActive || index->index_state == IndexState::kInactive;
  const auto refused = [&](std::string_view wanted) {
    const std::string_view now = index->index_state == IndexState::kDisabled ? "DISABLE" : "BUILDING";
    return SqlError(ErrorCode::kIndexStateTransition,
                    Concat("currentState=", now, ". requestedState=", wanted, " tableName=", alter.name));
  };
  switch (alter.change) {
    case IndexChange::kDisable:
      return set(IndexState::kDisabled);
    case IndexChange::kUsable:
    case IndexChange::kActive:
      if (!kept) return refused(alter.change == IndexChange::kUsable ? "USABLE" : "ACTIVE");
      return set(IndexState::kActive);
    case IndexChange::kUnusable:
      if (!kept) return refused("UNUSABLE");
      return set(IndexState::kInactive);
    case IndexChange::kRebuild:
      break;
  }
  // Rows of the time when it was not kept would stay, and no writer may find the table closed.
  VAQUITA_RETURN_IF_ERROR(set(IndexState::kDisabled).status());
  WaitForWriters();
  const absl::Status disabled = state->connection->GetAdmin()->DisableTable(index->HBaseName());
  // A REBUILD that was killed may have left it so.
  if (!IsError(disabled, ErrorKind::kTableNotEnabled)) VAQUITA_RETURN_IF_ERROR(disabled);
  FaultPoint("index:disabled");
  VAQUITA_RETURN_IF_ERROR(state->connection->GetAdmin()->TruncateTable(index->HBaseName(), true));
  VAQUITA_RETURN_IF_ERROR(set(IndexState::kBuilding).status());
  return Fill(state, index, table);
}

}  // namespace vaquita::sql

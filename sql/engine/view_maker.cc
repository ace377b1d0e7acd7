#include "sql/engine/view_maker.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/status.h"
#include "client/admin.h"
#include "sql/catalog/hbase_table.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/engine/statements.h"
#include "sql/engine/table_maker.h"
#include "sql/engine/table_options.h"

namespace vaquita::sql {
namespace {

std::string Quoted(const TableIdent& table) {
  return Concat(table.schema.empty() ? "" : Concat("\"", table.schema, "\"."), "\"", table.name, "\"");
}

// Returns the place of " WHERE " in a view's statement, but not within a quoted name; npos if there is none.
size_t PlaceOfWhere(std::string_view statement) {
  bool quoted = false;
  for (size_t i = 0; i < statement.size(); ++i) {
    if (statement[i] == '"') quoted = !quoted;
    if (!quoted && statement.substr(i).starts_with(" WHERE ")) return i;
  }
  return std::string::npos;
}

bool IsCompound(const Expr& expr) { return expr.kind == ExprKind::kAnd || expr.kind == ExprKind::kOr; }

// Returns the condition's terms joined by AND.
std::vector<ExprPtr> TermsOf(const ExprPtr& condition) {
  if (condition == nullptr) return {};
  return condition->kind == ExprKind::kAnd ? condition->children : std::vector<ExprPtr>{condition};
}

// Returns the constant of a term `column = value` or `column IS NULL`, nullopt for any other, and for a value that the
// column cannot have.
absl::StatusOr<std::optional<ViewConstant>> ConstantOf(const QuerySource& source, const Expr& term) {
  if (term.kind == ExprKind::kIsNull && !term.negated && term.children[0]->kind == ExprKind::kColumn) {
    return ViewConstant{term.children[0]->column, Value()};
  }
  if (term.kind != ExprKind::kCompare || term.text != "=") return std::nullopt;
  const bool swapped = term.children[0]->kind != ExprKind::kColumn;
  const Expr& column = *term.children[swapped ? 1 : 0];
  const Expr& value = *term.children[swapped ? 0 : 1];
  if (column.kind != ExprKind::kColumn || !IsConstant(value)) return std::nullopt;
  VAQUITA_ASSIGN_OR_RETURN(const Value constant, ConstantValue(source, value));
  std::optional<Value> own = EqualValueOf(column, value, constant);
  if (!own.has_value()) return std::nullopt;
  return ViewConstant{column.column, *std::move(own)};
}

// Adds the view's constants. Returns false if its condition has another term.
absl::StatusOr<bool> AddConstants(const QuerySource& source, const TableDef& view,
                                  std::vector<ViewConstant>* constants) {
  ResolvedSource resolved;
  resolved.number = 0;
  resolved.table = std::make_shared<const TableDef>(view);
  VAQUITA_ASSIGN_OR_RETURN(const ExprPtr condition, ViewCondition(resolved));
  for (const ExprPtr& term : TermsOf(condition)) {
    VAQUITA_ASSIGN_OR_RETURN(auto constant, ConstantOf(source, *term));
    if (!constant.has_value()) return false;
    constants->push_back(*std::move(constant));
  }
  return true;
}

class ViewMaker {
 public:
  ViewMaker(SessionState* state, const CreateTable& create) : state_(*state), create_(create) {
    view_.ident = create.table;
    view_.type = 'v';
  }

  absl::StatusOr<TableDef> Run() {
    if (create_.immutable || !create_.splits.empty()) return NotSupported("SPLIT ON of a view");
    VAQUITA_ASSIGN_OR_RETURN(const bool mapped, FindParent());
    for (const TableOption& option : create_.options) {
      VAQUITA_ASSIGN_OR_RETURN(const bool own, SetOwnProperty(option, &view_));
      if (!own) return NotSupported(Concat(option.name, " of a view"));
    }
    if (mapped) return Mapped();
    if (!create_.key.empty()) return NotSupported("PRIMARY KEY of several columns in a view of a table");
    VAQUITA_RETURN_IF_ERROR(Columns());
    VAQUITA_RETURN_IF_ERROR(Condition());
    return std::move(view_);
  }

 private:
  // Returns whether the view is of an HBase table that SQL has not made.
  absl::StatusOr<bool> FindParent() {
    if (!create_.parent.has_value()) return true;
    auto parent = state_.catalog.Find(*create_.parent);
    const bool unknown = IsSqlError(parent.status(), ErrorCode::kUndefinedTable);
    if (unknown && *create_.parent == create_.table && create_.where == nullptr) return true;
    VAQUITA_RETURN_IF_ERROR(parent.status());
    // A view's rows are those of the table behind it, and a mapped view shows cells as they are.
    if ((*parent)->view == ViewType::kMapped) return SqlError(ErrorCode::kReadOnlyTable);
    parent_ = *std::move(parent);
    const TableDef& of = *parent_;
    const auto cache_ms = view_.cache_ms;
    view_ = of;
    view_.ident = create_.table;
    view_.type = 'v';
    view_.cache_ms = cache_ms;
    view_.guide_posts_width.reset();
    view_.key_name.clear();
    view_.changes = 0;
    view_.base = of.Physical();
    view_.parent = of.ident;
    view_.empty_family = of.EmptyCellFamily();
    view_.inherited = of.columns.size();
    return false;
  }

  absl::StatusOr<TableDef> Mapped() {
    auto table = MakeTable(create_);
    if (IsSqlError(table.status(), ErrorCode::kPrimaryKeyMissing)) return SqlError(ErrorCode::kPrimaryKeyMissing);
    VAQUITA_ASSIGN_OR_RETURN(NewTable made, std::move(table));
    if (made.def.salt_buckets > 0) return NotSupported("SALT_BUCKETS of a view");
    made.def.type = 'v';
    made.def.view = ViewType::kMapped;
    made.def.encoding = QualifierEncoding::kNames;
    made.def.one_cell = false;
    made.def.next_number.clear();
    const auto descriptor = state_.connection->GetAdmin()->GetDescriptor(made.def.HBaseName());
    if (IsError(descriptor.status(), ErrorKind::kTableNotFound)) {
      return TableError(ErrorCode::kUndefinedTable, create_.table.ToString());
    }
    VAQUITA_RETURN_IF_ERROR(descriptor.status());
    bool any = false;
    for (ColumnDef& column : made.def.columns) {
      if (column.is_key()) continue;
      any = true;
      column.qualifier = column.name;
      if (!descriptor->families.contains(column.family)) return SqlError(ErrorCode::kReadOnlyTable);
    }
    if (!any) return NotSupported("A view of an HBase table without columns outside the key");
    return std::move(made.def);
  }

  absl::Status Columns() {
    for (const ColumnDeclaration& declared : create_.columns) {
      VAQUITA_ASSIGN_OR_RETURN(ColumnDef column, MakeColumn(declared, view_));
      if (declared.primary_key) column.nullable = false;
      VAQUITA_RETURN_IF_ERROR(AddColumn(declared, std::move(column), &view_));
      // An index has the key of its table's rows, and these would have another one.
      if (declared.primary_key && !view_.indexes.empty()) return SqlError(ErrorCode::kKeyOfViewOverIndex);
    }
    return AddFamiliesOfView(&state_, view_, view_.inherited);
  }

  absl::Status Condition() {
    if (create_.where != nullptr) {
      // Errors name the parent.
      ResolvedSource source;
      source.table = parent_;
      source.alias = view_.parent.name;
      VAQUITA_RETURN_IF_ERROR(ResolveViewCondition(create_.where.get(), std::move(source)));
      std::string condition = create_.where_text;
      if (IsCompound(*create_.where)) condition = Concat("(", condition, ")");
      const size_t before = PlaceOfWhere(view_.statement);
      if (before != std::string::npos) {
        condition = Concat("(", view_.statement.substr(before + 7), " AND ", condition, ")");
      }
      view_.statement = condition;
    } else if (const size_t before = PlaceOfWhere(view_.statement); before != std::string::npos) {
      view_.statement = view_.statement.substr(before + 7);
    }
    if (!view_.statement.empty()) {
      view_.statement = Concat("SELECT * FROM ", Quoted(view_.parent), " WHERE ", view_.statement);
    }
    std::vector<ViewConstant> constants;
    VAQUITA_ASSIGN_OR_RETURN(const bool updatable, AddConstants(state_.Source(), view_, &constants));
    view_.view = updatable ? ViewType::kUpdatable : ViewType::kReadOnly;
    return absl::OkStatus();
  }

  SessionState& state_;
  const CreateTable& create_;
  TablePtr parent_;
  TableDef view_;
};

}  // namespace

absl::StatusOr<TableDef> MakeView(SessionState* state, const CreateTable& create) {
  return ViewMaker(state, create).Run();
}

absl::Status AddFamiliesOfView(SessionState* state, const TableDef& view, size_t first) {
  std::set<std::string> families;
  for (size_t i = first; i < view.columns.size(); ++i)
    if (!view.columns[i].is_key()) families.insert(view.columns[i].family);
  if (families.empty()) return absl::OkStatus();
  return ModifyTable(state->connection.get(), view.HBaseName(), [&](TableDescriptor* descriptor) {
    for (const std::string& name : families) descriptor->families.try_emplace(name, NewFamily(name));
    return absl::OkStatus();
  });
}

absl::StatusOr<std::vector<ViewConstant>> ConstantsOfView(const QuerySource& source, const TableDef& view) {
  std::vector<ViewConstant> constants;
  VAQUITA_RETURN_IF_ERROR(AddConstants(source, view, &constants).status());
  return constants;
}

}  // namespace vaquita::sql

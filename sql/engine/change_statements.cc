#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "base/status.h"
#include "sql/catalog/dynamic_columns.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"
#include "sql/engine/index_maker.h"
#include "sql/engine/query.h"
#include "sql/engine/sequence_maker.h"
#include "sql/engine/statements.h"
#include "sql/engine/table_alterer.h"
#include "sql/engine/table_maker.h"
#include "sql/engine/view_maker.h"
#include "sql/plan/engine_text.h"
#include "sql/plan/expression_parts.h"
#include "sql/plan/index_choice.h"

namespace vaquita::sql {
namespace {

bool IsPlain(const Expr& expr) { return expr.kind == ExprKind::kLiteral || expr.kind == ExprKind::kParameter; }

std::string NameInError(const ColumnDef& column) {
  return Concat(column.is_key() ? "" : Concat(column.family, "."), column.name);
}

// Returns the type to which Phoenix brings a literal for a column of the type first.
TypeId TypeOfLiteral(const SqlType& type) {
  if (type.kind() == ValueKind::kInteger) return TypeId::kBigint;
  if (type.id == TypeId::kUnsignedFloat) return TypeId::kFloat;
  if (type.id == TypeId::kUnsignedDouble) return TypeId::kDouble;
  return type.id == TypeId::kUnsignedDate ? TypeId::kDate : type.id;
}

// Checks the type of one of VALUES. Phoenix computes all but literals, and -1 times a literal, before it looks at their
// type, and makes neither a FLOAT nor a time of a BIGINT then. Source: UpsertCompiler (5.2).
absl::Status CheckGiven(const Expr& value, const ColumnDef& column) {
  const SqlType& type = value.type;
  const SqlType& wanted = column.type;
  const bool computed = !IsPlain(value) || IsBoolean(type) || value.text.starts_with('-');
  const bool is_long = computed && type.id == TypeId::kBigint && !type.array;
  const bool refused = is_long && (wanted.id == TypeId::kFloat || IsTime(wanted));
  if (IsNullLiteral(value) || (!refused && IsCoercible(type, wanted))) return absl::OkStatus();
  return SqlError(ErrorCode::kTypeMismatch,
                  computed ? Concat(type.Name(), " and ", wanted.Name(), " for expression: ", LabelOf(value),
                                    " in column ", NameInError(column))
                           : Concat(type.Name(), " cannot be coerced to ",
                                    wanted.array ? wanted.Name() : SqlType(TypeOfLiteral(wanted)).Name()));
}

// Returns the value of a literal or parameter.
const Value& PlainValue(const Expr& expr, std::span<const Value> parameters) {
  return expr.kind == ExprKind::kLiteral ? expr.literal : parameters[static_cast<size_t>(expr.parameter)];
}

// Returns the columns that the statement names, or the first `count` of the table's.
absl::StatusOr<std::vector<int32_t>> TargetColumns(const TableDef& table, const Upsert& upsert, size_t count) {
  std::vector<int32_t> targets;
  for (const ColumnName& wanted : upsert.columns) {
    targets.push_back(table.FindTarget(wanted));
    if (targets.back() < 0) return ColumnError(ErrorCode::kUndefinedColumn, wanted.name, table.ident.ToString());
  }
  const size_t available = upsert.columns.empty() ? table.columns.size() : targets.size();
  if (count > available || (!upsert.columns.empty() && count < available)) {
    return SqlError(ErrorCode::kUpsertColumnCount, Concat("Numbers of columns: ", available, ". Number of values: ",
                                                          count, " tableName=", table.ident.ToString()));
  }
  for (size_t i = 0; upsert.columns.empty() && i < count; ++i) targets.push_back(static_cast<int32_t>(i));
  return targets;
}

// Returns for each column whether it is named again later.
std::vector<bool> NamedAgain(const std::vector<int32_t>& columns) {
  std::vector<bool> are_replaced(columns.size());
  std::set<int32_t> later;
  for (size_t i = columns.size(); i-- > 0;) are_replaced[i] = !later.insert(columns[i]).second;
  return are_replaced;
}

// A statement that changes rows of a table: given ones, or those that a query finds.
class RowStatement : public ChangeStatement {
 public:
  absl::StatusOr<int64_t> Execute(std::span<const Value> values) override {
    VAQUITA_RETURN_IF_ERROR(CheckParameters(parameters_.size(), values.size()));
    state_->changes.DropStatement();  // an exception may have left some
    return state_->EndStatement(ChangeRows(values));
  }
  // Many changes of a commit need one look at their table.
  std::vector<TablePtr> tables() const override {
    if (query_ == nullptr && state_->changes.Has(*table_)) return {};
    std::vector<TablePtr> tables = read_;
    tables.push_back(table_);
    return tables;
  }

 protected:
  int64_t engine_bytes() const override {
    return table_->memory_bytes() + (query_ == nullptr ? 0 : query_->memory_bytes());
  }

  RowStatement(SessionState* state, TablePtr table) : state_(state), table_(std::move(table)) {}

  virtual absl::StatusOr<int64_t> ChangeRows(std::span<const Value> parameters) = 0;
  // Returns whether the query might find other rows when some of its changes were written.
  virtual bool SeesChanges() const = 0;
  // Returns how often the query reads the table that the statement changes.
  auto ReadsOfTarget() const {
    return std::ranges::count_if(
        read_, [&](const TablePtr& table) { return table != nullptr && table->Physical() == table_->Physical(); });
  }

  absl::Status PrepareQuery(const std::string& text, std::vector<TablePtr> tables) {
    VAQUITA_ASSIGN_OR_RETURN(query_, Query::Prepare(state_->Source(), std::move(tables), text, types_));
    return absl::OkStatus();
  }

  // Calls `change` with each row of the query. Nothing is written before the query's end, so it does not see changes;
  // but where it would not see them anyway, and the statement commits, as many are written as may wait, as in Phoenix.
  template <typename Change>
  absl::StatusOr<int64_t> ChangeQueriedRows(std::span<const Value> parameters, Change change) {
    VAQUITA_RETURN_IF_ERROR(query_->Start(parameters_, parameters));
    for (int64_t count = 0;; ++count) {
      VAQUITA_ASSIGN_OR_RETURN(auto row, query_->Next());
      if (!row.has_value()) return count;
      if (const absl::Status size = state_->changes.CheckSize(); !size.ok()) {
        if (!state_->auto_commit || SeesChanges()) return size;
        state_->changes.KeepStatement();
        VAQUITA_RETURN_IF_ERROR(state_->changes.Write(state_->connection).status());
      }
      VAQUITA_RETURN_IF_ERROR(change(*std::move(row)));
    }
  }

  SessionState* const state_;
  const TablePtr table_;
  std::vector<SqlType> types_;  // the query's columns: the values to upsert, or the key to delete
  std::vector<TablePtr> read_;  // the tables that the statement names in its query
  std::unique_ptr<Query> query_;
};

class UpsertStatement : public RowStatement {
 public:
  UpsertStatement(SessionState* state, TablePtr table, std::vector<int32_t> targets,
                  std::vector<ViewConstant> constants, bool has_list)
      : RowStatement(state, std::move(table)),
        targets_(std::move(targets)),
        are_replaced_(NamedAgain(targets_)),
        constants_(std::move(constants)),
        has_list_(has_list) {}

  // VALUES: literals and parameters need no engine.
  absl::Status PrepareValues(const Upsert& upsert, Resolver* resolver) {
    const std::vector<ExprPtr>& values = upsert.values;
    std::string text = "SELECT ";
    for (size_t i = 0; i < values.size(); ++i) {
      const ColumnDef& column = table_->columns[static_cast<size_t>(targets_[i])];
      if (HasColumn(*values[i]) || HasAggregate(*values[i]) || HasSubquery(*values[i])) {
        return SqlError(ErrorCode::kValuesNotConstant);
      }
      VAQUITA_RETURN_IF_ERROR(resolver->ResolveOutput(values[i].get(), Scope(), column.type));
      VAQUITA_RETURN_IF_ERROR(CheckGiven(*values[i], column));
      types_.push_back(IsNullLiteral(*values[i]) ? SqlType() : values[i]->type);
      plain_ = plain_ && IsPlain(*values[i]);
    }
    if (upsert.on_duplicate) {
      VAQUITA_ASSIGN_OR_RETURN(rule_, DuplicateRule::Make(upsert, resolver));
    }
    parameters_ = ParameterTypes(*resolver);
    resolver->JoinSequences(values);
    VAQUITA_RETURN_IF_ERROR(CheckSequences(state_, *resolver));
    if (rule_ != nullptr) VAQUITA_RETURN_IF_ERROR(rule_->Prepare(state_->Source(), parameters_));
    values_ = values;
    read_ = resolver->tables();
    for (size_t i = 0; !plain_ && i < values_.size(); ++i) {
      VAQUITA_ASSIGN_OR_RETURN(const std::string value, EngineExpression(*values_[i]));
      AppendText(&text, i == 0 ? "" : ", ", value);
    }
    if (plain_) return absl::OkStatus();
    return PrepareQuery(text, resolver->tables());
  }

  // `tables` are the query's.
  absl::Status PrepareRows(const Select& select, const std::vector<OutputColumn>& columns, Resolver* resolver,
                           std::vector<TablePtr> tables) {
    for (size_t i = 0; i < columns.size(); ++i) {
      const ColumnDef& column = table_->columns[static_cast<size_t>(targets_[i])];
      const SqlType& type = columns[i].type;
      if (!IsCoercible(type, column.type) || (type.kind() == ValueKind::kText && IsTime(column.type))) {
        return SqlError(ErrorCode::kTypeMismatch, Concat("expected: ", column.type.Name(), " but was: ", type.Name(),
                                                         " at column: ", NameInError(column)));
      }
      types_.push_back(type);
    }
    parameters_ = ParameterTypes(*resolver);
    VAQUITA_RETURN_IF_ERROR(CheckSequences(state_, *resolver));
    plain_ = false;
    read_ = resolver->tables();
    VAQUITA_ASSIGN_OR_RETURN(const std::string text, EngineQuery(select, types_));
    return PrepareQuery(text, std::move(tables));
  }

 private:
  int64_t engine_bytes() const override {
    return RowStatement::engine_bytes() + (rule_ == nullptr ? 0 : rule_->memory_bytes());
  }

  absl::StatusOr<int64_t> ChangeRows(std::span<const Value> parameters) override {
    if (plain_) return OneRow(parameters);
    return ChangeQueriedRows(parameters, [&](std::vector<Value> row) { return Add(std::move(row), parameters); });
  }

  bool SeesChanges() const override { return ReadsOfTarget() > 0; }

  absl::StatusOr<int64_t> OneRow(std::span<const Value> parameters) {
    std::vector<Value> row;
    for (const ExprPtr& value : values_) row.push_back(PlainValue(*value, parameters));
    VAQUITA_RETURN_IF_ERROR(Add(std::move(row), parameters));
    return 1;
  }

  absl::Status Add(std::vector<Value> row, std::span<const Value> parameters) {
    std::vector<std::pair<int32_t, Value>> changes;
    for (size_t i = 0; i < row.size(); ++i) {
      const ColumnDef& column = table_->columns[static_cast<size_t>(targets_[i])];
      const Value given = WithBlanks(types_[i], column.type, std::move(row[i]));
      absl::StatusOr<Value> value = CoerceValue(types_[i], column.type, given, column.name);
      if (!value.ok()) {
        return values_.empty() ? value.status() : ErrorOfGiven(types_[i], column, given, value.status());
      }
      if (!are_replaced_[i]) changes.emplace_back(targets_[i], *std::move(value));
    }
    VAQUITA_RETURN_IF_ERROR(AddConstants(&changes));
    return state_->changes.Upsert(table_, std::move(changes), rule_, parameters);
  }

  // Gives a view's columns the values of its condition, and refuses others. Without a list of columns those that are
  // left out stay null, as in Phoenix.
  absl::Status AddConstants(std::vector<std::pair<int32_t, Value>>* changes) const {
    for (const ViewConstant& constant : constants_) {
      const auto given = std::ranges::find(*changes, constant.column, [](const auto& change) { return change.first; });
      if (given == changes->end()) {
        if (has_list_) changes->emplace_back(constant.column, constant.value);
        continue;
      }
      if (given->second == constant.value) continue;
      const ColumnDef& column = table_->columns[static_cast<size_t>(constant.column)];
      Expr value;
      value.type = column.type;
      value.literal = given->second;
      return SqlError(ErrorCode::kNotTheViewsConstant,
                      Concat(values_.empty() ? "" : Concat("value=", LabelOf(value), " "), "columnName=", column.name));
    }
    return absl::OkStatus();
  }

  std::vector<int32_t> targets_;
  std::vector<bool> are_replaced_;  // by a later value for the same column
  std::vector<ViewConstant> constants_;
  bool has_list_;
  std::vector<ExprPtr> values_;
  std::shared_ptr<DuplicateRule> rule_;  // null: none
  bool plain_ = true;
};

// Adds the terms `column = value`. Returns false if the condition has any other term.
bool CollectPoint(const Expr& condition, std::vector<const Expr*>* terms) {
  if (condition.kind == ExprKind::kAnd) {
    return std::ranges::all_of(condition.children, [&](const ExprPtr& term) { return CollectPoint(*term, terms); });
  }
  if (condition.kind != ExprKind::kCompare || condition.text != "=") return false;
  if (condition.children[0]->kind != ExprKind::kColumn || !IsPlain(*condition.children[1])) return false;
  terms->push_back(&condition);
  return true;
}

class DeleteStatement : public RowStatement {
 public:
  DeleteStatement(SessionState* state, TablePtr table, Delete body, std::string hints)
      : RowStatement(state, std::move(table)), body_(std::move(body)), hints_(std::move(hints)) {}

  absl::Status Prepare(const ResolvedSource& source, Resolver* resolver) {
    VAQUITA_ASSIGN_OR_RETURN(Select select, KeysToDelete(body_, source, resolver));
    parameters_ = ParameterTypes(*resolver);
    read_ = resolver->tables();
    scanned_ = resolver->tables();
    const bool is_point = FindPoint();
    if (!is_point) VAQUITA_RETURN_IF_ERROR(UseIndexes(hints_, &select, &scanned_));
    by_row_ = scanned_[static_cast<size_t>(source.number)] == table_;
    if (by_row_) TakeRowKeys(source.number, &select);
    for (const SelectItem& item : select.items) types_.push_back(item.expr->type);
    VAQUITA_ASSIGN_OR_RETURN(query_text_, EngineQuery(select, types_));
    return is_point ? absl::OkStatus() : PrepareQuery(query_text_, scanned_);
  }

 private:
  absl::StatusOr<int64_t> ChangeRows(std::span<const Value> parameters) override {
    if (const auto key = PointOf(parameters); key.has_value()) {
      state_->changes.Delete(table_, *key);
      return 1;
    }
    if (query_ == nullptr) VAQUITA_RETURN_IF_ERROR(PrepareQuery(query_text_, scanned_));
    return ChangeQueriedRows(parameters, [this](std::vector<Value> key) {
      if (by_row_) {
        state_->changes.DeleteRow(table_, std::move(key[0]).text());
      } else {
        state_->changes.Delete(table_, key);
      }
      return absl::OkStatus();
    });
  }

  // Asks for the rows' keys as they are: a view may have added columns to them, which the table does not know.
  static void TakeRowKeys(int32_t source, Select* select) {
    select->items.clear();
    select->items.emplace_back().expr = ColumnExpr(source, kRowKeyColumn, "", TypeId::kVarbinary);
  }

  // A scan does not come back to rows that it has found.
  bool SeesChanges() const override { return ReadsOfTarget() > 1; }

  // A condition that is a whole key needs no scan. Phoenix counts its row, whether or not it is there.
  bool FindPoint() {
    if (!table_->statement.empty()) return false;  // the row may not be the view's
    std::vector<const Expr*> terms;
    if (body_.where == nullptr || body_.limit != nullptr || !CollectPoint(*body_.where, &terms)) return false;
    const std::vector<int32_t> key = table_->KeyIndexes();
    if (terms.size() != key.size()) return false;
    for (const int32_t index : key) {
      const auto term = std::ranges::find(terms, index, [](const Expr* each) { return each->children[0]->column; });
      if (term == terms.end()) {
        point_.clear();
        return false;
      }
      point_.push_back(*term);
    }
    return true;
  }

  // Returns the whole key that the condition names. Nullopt: it names none, or no key equals its values, and the query
  // decides as that of SELECT does.
  std::optional<std::vector<Value>> PointOf(std::span<const Value> parameters) const {
    std::vector<Value> key;
    for (const Expr* term : point_) {
      const Expr& given = *term->children[1];
      auto value = EqualValueOf(*term->children[0], given, PlainValue(given, parameters));
      if (!value.has_value()) return std::nullopt;
      key.push_back(*std::move(value));
    }
    return key.empty() ? std::nullopt : std::optional(std::move(key));
  }

  Delete body_;
  const std::string hints_;
  std::string query_text_;
  std::vector<TablePtr> scanned_;   // by the query: tables, or indexes in their places
  bool by_row_ = false;             // the query gives row keys, not their columns
  std::vector<const Expr*> point_;  // a term for each column of the key; empty: the condition is no whole key
};

class DefinitionStatement : public ChangeStatement {
 public:
  DefinitionStatement(SessionState* state, Statement statement) : state_(state), statement_(std::move(statement)) {}

  absl::StatusOr<int64_t> Execute(std::span<const Value>) override {
    const auto& body = statement_.body;
    if (const auto* alter = std::get_if<AlterTable>(&body)) return RunAlter(state_, *alter);
    if (const auto* create = std::get_if<CreateIndex>(&body)) return RunCreateIndex(state_, *create);
    if (const auto* drop = std::get_if<DropIndex>(&body)) return RunDropIndex(state_, *drop);
    if (const auto* alter = std::get_if<AlterIndex>(&body)) return RunAlterIndex(state_, *alter);
    if (const auto* create = std::get_if<CreateTable>(&body)) {
      const absl::StatusOr<int64_t> rows = Create(*create);
      if (create->if_not_exists && IsSqlError(rows.status(), ErrorCode::kTableExists)) return 0;
      return rows;
    }
    if (const auto* create = std::get_if<CreateSequence>(&body)) {
      VAQUITA_ASSIGN_OR_RETURN(const SequenceDef made, MakeSequence(state_->Source(), *create));
      const absl::Status done = state_->sequences->Create(create->sequence, made);
      return NoRows(done, create->if_not_exists, ErrorCode::kSequenceExists);
    }
    if (const auto* drop = std::get_if<DropSequence>(&body)) {
      return NoRows(state_->sequences->Drop(drop->sequence), drop->if_exists, ErrorCode::kSequenceUndefined);
    }
    const auto& drop = std::get<DropTable>(body);
    const absl::Status done = state_->catalog.Drop(drop.table, drop.is_view, drop.cascade);
    return NoRows(done, drop.if_exists, ErrorCode::kUndefinedTable);
  }

 private:
  // Returns 0, or the error, unless IF EXISTS or IF NOT EXISTS allows it.
  static absl::StatusOr<int64_t> NoRows(const absl::Status& done, bool has_if, ErrorCode allowed) {
    if (done.ok() || (has_if && IsSqlError(done, allowed))) return 0;
    return done;
  }

  absl::StatusOr<int64_t> Create(const CreateTable& create) {
    if (!create.is_view) {
      VAQUITA_ASSIGN_OR_RETURN(const NewTable made, MakeTable(create));
      return state_->catalog.Create(made.def, made.descriptor, made.splits);
    }
    VAQUITA_ASSIGN_OR_RETURN(const TableDef view, MakeView(state_, create));
    VAQUITA_RETURN_IF_ERROR(state_->catalog.CreateView(view));
    return 0;
  }

  SessionState* state_;
  Statement statement_;
};

}  // namespace

std::optional<Value> EqualValueOf(const Expr& column, const Expr& given, const Value& value) {
  const SqlType compared = ComparedType(column, given).value_or(column.type);
  // Texts and bytes are compared as they are, without what pads them in the type.
  const bool as_it_is = compared.kind() == ValueKind::kText || compared.kind() == ValueKind::kBytes;
  const auto wanted = as_it_is ? value : CoerceValue(given.type, compared, value, "");
  if (!wanted.ok() || wanted->is_null()) return std::nullopt;
  auto own = CoerceValue(compared, column.type, *wanted, "");
  if (!own.ok() || own->is_null()) return std::nullopt;
  const auto back = CoerceValue(column.type, compared, *own, "");
  return back.ok() && *back == *wanted ? std::optional(*std::move(own)) : std::nullopt;
}

absl::StatusOr<Select> KeysToDelete(const Delete& body, const ResolvedSource& source, Resolver* resolver) {
  Select select;
  Source& from = select.from.emplace_back();
  from.table = body.table;
  from.number = source.number;
  for (const int32_t index : source.table->KeyIndexes()) {
    const ColumnDef& column = source.table->columns[static_cast<size_t>(index)];
    select.items.emplace_back().expr = ColumnExpr(source.number, index, column.name, column.type);
  }
  select.where = body.where;
  select.order_by = body.order_by;
  select.limit = body.limit;
  VAQUITA_RETURN_IF_ERROR(resolver->ResolveRows(&select, source));
  return select;
}

absl::StatusOr<std::unique_ptr<PreparedStatement>> PrepareUpsert(SessionState* state, Statement statement) {
  auto& upsert = std::get<Upsert>(statement.body);
  Resolver resolver(state->Finder(), statement.parameters);
  VAQUITA_ASSIGN_OR_RETURN(TablePtr table, resolver.Find(upsert.table));
  VAQUITA_RETURN_IF_ERROR(CheckWritable(state, *table));
  if (!upsert.dynamic.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(table, WithDynamicColumns(*table, upsert.dynamic));
  }
  VAQUITA_ASSIGN_OR_RETURN(std::vector<ViewConstant> constants, ConstantsOfView(state->Source(), *table));
  const bool has_list = !upsert.columns.empty();
  if (upsert.select != nullptr) {
    VAQUITA_ASSIGN_OR_RETURN(const auto columns, resolver.ResolveSelect(upsert.select.get()));
    VAQUITA_ASSIGN_OR_RETURN(auto targets, TargetColumns(*table, upsert, columns.size()));
    auto prepared =
        std::make_unique<UpsertStatement>(state, std::move(table), std::move(targets), std::move(constants), has_list);
    std::vector<TablePtr> tables = resolver.tables();
    VAQUITA_RETURN_IF_ERROR(UseIndexes(statement.hints, upsert.select.get(), &tables));
    VAQUITA_RETURN_IF_ERROR(prepared->PrepareRows(*upsert.select, columns, &resolver, std::move(tables)));
    return prepared;
  }
  VAQUITA_ASSIGN_OR_RETURN(auto targets, TargetColumns(*table, upsert, upsert.values.size()));
  auto prepared =
      std::make_unique<UpsertStatement>(state, std::move(table), std::move(targets), std::move(constants), has_list);
  VAQUITA_RETURN_IF_ERROR(prepared->PrepareValues(upsert, &resolver));
  return prepared;
}

absl::StatusOr<std::unique_ptr<PreparedStatement>> PrepareDelete(SessionState* state, Statement statement) {
  auto& body = std::get<Delete>(statement.body);
  Resolver resolver(state->Finder(), statement.parameters);
  VAQUITA_ASSIGN_OR_RETURN(const ResolvedSource source, resolver.AddTable(body.table, ""));
  VAQUITA_RETURN_IF_ERROR(CheckWritable(state, *source.table));
  auto prepared = std::make_unique<DeleteStatement>(state, source.table, std::move(body), statement.hints);
  VAQUITA_RETURN_IF_ERROR(prepared->Prepare(source, &resolver));
  return prepared;
}

absl::StatusOr<std::unique_ptr<PreparedStatement>> PrepareDefinition(SessionState* state, Statement statement) {
  return std::make_unique<DefinitionStatement>(state, std::move(statement));
}

}  // namespace vaquita::sql

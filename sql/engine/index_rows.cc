#include "sql/engine/index_rows.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/status.h"
#include "sql/catalog/hbase_table.h"
#include "sql/encoding/index_value.h"
#include "sql/encoding/row_key.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"
#include "sql/engine/row_steps.h"
#include "sql/plan/engine_text.h"
#include "sql/plan/expression_parts.h"
#include "sql/plan/index_columns.h"

namespace vaquita::sql {
namespace {

void AddColumns(const Expr& expr, std::set<int32_t>* columns) {
  if (expr.kind == ExprKind::kColumn) columns->insert(expr.column);
  for (const ExprPtr& child : expr.children) AddColumns(*child, columns);
}

bool IsEmptyCell(const TableDef& index, const Cell& cell) {
  return cell.family == index.EmptyCellFamily() && cell.qualifier == index.EmptyCellQualifier();
}

}  // namespace

IndexRows::IndexRows(std::shared_ptr<client::Connection> connection, TablePtr index, TablePtr table)
    : connection_(std::move(connection)),
      index_(std::move(index)),
      table_(std::move(table)),
      reader_(*table_),
      writer_(*index_) {}

absl::StatusOr<std::unique_ptr<IndexRows>> IndexRows::Make(std::shared_ptr<client::Connection> connection,
                                                           TablePtr index, TablePtr table) {
  auto rows = std::unique_ptr<IndexRows>(new IndexRows(std::move(connection), std::move(index), std::move(table)));
  VAQUITA_RETURN_IF_ERROR(rows->Prepare());
  return rows;
}

absl::Status IndexRows::Prepare() {
  VAQUITA_ASSIGN_OR_RETURN(expressions_, ExpressionsOfIndex(*index_, table_, 0));
  for (const ExprPtr& expr : expressions_) AddColumns(*expr, &reads_);
  std::string text;
  std::vector<SqlType> types;
  for (const ExprPtr& expr : expressions_) {
    if (expr->kind == ExprKind::kColumn) continue;
    VAQUITA_ASSIGN_OR_RETURN(const std::string form,
                             EngineExpression(*ColumnsAsParameters(expr, 0, &arguments_, &argument_types_)));
    AppendText(&text, text.empty() ? "SELECT " : ", ", form);
    types.push_back(expr->type);
  }
  if (types.empty()) return absl::OkStatus();
  QuerySource source;
  source.connection = connection_;
  source.limits = std::make_shared<QueryLimits>();
  VAQUITA_ASSIGN_OR_RETURN(query_, Query::Prepare(std::move(source), {}, text, std::move(types)));
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Value>> IndexRows::Computed(const RowValues& row) {
  if (query_ == nullptr) return std::vector<Value>();
  std::vector<Value> arguments;
  for (const int32_t column : arguments_) arguments.push_back(ValueIn(row, column));
  VAQUITA_RETURN_IF_ERROR(query_->Start(argument_types_, arguments));
  VAQUITA_ASSIGN_OR_RETURN(auto values, query_->Next());
  query_->Finish();
  return *std::move(values);
}

absl::StatusOr<Mutation> IndexRows::PutOf(const RowValues& row, int64_t timestamp_ms) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<Value> computed, Computed(row));
  ColumnValues values;
  size_t next = 0;
  for (size_t i = 0; i < expressions_.size(); ++i) {
    const Expr& expr = *expressions_[i];
    const ColumnDef& column = index_->columns[i];
    Value value = expr.kind == ExprKind::kColumn ? ValueIn(row, expr.column) : computed[next++];
    if (column.is_key()) {
      const SqlType computed_type = TypeOfIndexed(expr);
      SqlType type = column.type_in_key.value_or(column.type);
      if (type.id == computed_type.id) type = computed_type;
      // It checks the range of DECIMAL.
      VAQUITA_ASSIGN_OR_RETURN(value, CoerceValue(type, type, ToIndexValue(computed_type, type, value), column.name));
    }
    // All that is older is not of the row: a null needs no mark.
    if (column.is_key() || index_->one_cell || !value.is_null()) {
      values.emplace_back(static_cast<int32_t>(i), std::move(value));
    }
  }
  VAQUITA_ASSIGN_OR_RETURN(const std::string key, writer_.Key(&values));
  VAQUITA_ASSIGN_OR_RETURN(Action action, writer_.Upsert(key, values));
  Mutation put = std::get<Mutation>(std::move(action));
  for (Cell& cell : put.cells) cell.timestamp_ms = timestamp_ms;
  return Marked(*index_, std::move(put), kVerified);
}

absl::StatusOr<std::optional<Mutation>> IndexRows::PutOfStored(const client::Result& stored) {
  VAQUITA_ASSIGN_OR_RETURN(const RowImage image, ImageOf(stored, *table_, reads_, &reader_));
  if (!image.exists) return std::nullopt;
  const auto empty = std::ranges::find_if(stored.cells, [&](const Cell& cell) { return IsEmptyCell(*table_, cell); });
  return PutOf(image.values, empty->timestamp_ms);
}

absl::StatusOr<std::optional<client::Result>> IndexRows::RowByTable(const std::string& index_row) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<Value> in_index,
                           DecodeRowKey(index_->KeyColumns(), index_row, index_->salt_buckets));
  const std::vector<int32_t> index_key = index_->KeyIndexes();
  std::vector<Value> key;
  for (const int32_t column : table_->KeyIndexes()) {
    const auto place = std::ranges::find_if(index_key, [&](int32_t i) {
      const Expr& expr = *expressions_[static_cast<size_t>(i)];
      return expr.kind == ExprKind::kColumn && expr.column == column;
    });
    if (place == index_key.end()) return std::nullopt;
    const ColumnDef& stored = index_->columns[static_cast<size_t>(*place)];
    VAQUITA_ASSIGN_OR_RETURN(Value value, FromIndexValue(table_->columns[static_cast<size_t>(column)].type,
                                                         stored.type_in_key.value_or(stored.type),
                                                         in_index[static_cast<size_t>(place - index_key.begin())]));
    key.push_back(std::move(value));
  }
  const std::string row = EncodeRowKey(table_->KeyColumns(), key, table_->salt_buckets);
  VAQUITA_ASSIGN_OR_RETURN(const client::Result stored,
                           connection_->GetTable(table_->HBaseName())->Get(GetOfRow(*table_, row, reads_)));
  absl::StatusOr<std::optional<Mutation>> made = PutOfStored(stored);
  if (IsNoIndexRow(made.status())) return std::nullopt;
  VAQUITA_ASSIGN_OR_RETURN(std::optional<Mutation> put, std::move(made));
  if (!put.has_value() || put->row != index_row) return std::nullopt;
  client::Result result;
  for (Cell& cell : put->cells) cell.row = index_row;
  result.cells = std::move(put->cells);
  std::ranges::sort(result.cells, {}, [](const Cell& cell) { return std::tie(cell.family, cell.qualifier); });
  return result;
}

bool IsNoIndexRow(const absl::Status& status) {
  return IsSqlError(status, ErrorCode::kDataExceedsMaxCapacity) || IsSqlError(status, ErrorCode::kIllegalData) ||
         IsSqlError(status, ErrorCode::kDivideByZero);
}

Mutation Marked(const TableDef& index, Mutation put, const std::string& mark) {
  for (Cell& cell : put.cells)
    if (IsEmptyCell(index, cell)) cell.value = mark;
  return put;
}

Mutation MarkOf(const TableDef& index, const std::string& row, const std::string& mark, int64_t timestamp_ms) {
  Mutation put = PutOfEmptyCell(index, row, timestamp_ms);
  put.cells.front().value = mark;
  return put;
}

}  // namespace vaquita::sql

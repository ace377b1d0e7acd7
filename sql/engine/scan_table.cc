#include "sql/engine/scan_table.h"

#include <sqlite3.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_split.h"
#include "base/status.h"
#include "client/table.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/engine/exception_guard.h"
#include "sql/engine/index_rows.h"
#include "sql/engine/row_reader.h"
#include "sql/engine/row_stream.h"
#include "sql/engine/sqlite_value.h"
#include "sql/plan/key_ranges.h"

namespace vaquita::sql {
namespace {

constexpr double kRowsOfTable = 1e6;
constexpr double kEqualSelects = 100;  // rows less by each column with one value
constexpr double kBoundSelects = 4;
constexpr sqlite3_int64 kMostLikelyRows = 1'000'000;

// A scan as xBestIndex plans it and xFilter runs it; its text is "MASK REVERSE (POSITION OP )*".
struct ScanPlan {
  uint64_t columns_used = 0;  // a bit for each; the last also stands for those behind
  bool reverse = false;
  struct Term {
    int position;  // in the key; -1: LIMIT or OFFSET
    int op;        // SQLite's
  };
  std::vector<Term> terms;  // in the order of xFilter's arguments

  std::string ToString() const {
    std::string text = Concat(columns_used, " ", reverse ? 1 : 0);
    for (const Term& term : terms) AppendText(&text, " ", term.position, " ", term.op);
    return text;
  }
  static ScanPlan Parse(const char* text) {
    const std::vector<std::string> parts = absl::StrSplit(text, ' ');
    ScanPlan plan;
    (void)ReadNumber(parts[0], &plan.columns_used);
    plan.reverse = parts[1] == "1";
    for (size_t i = 2; i + 1 < parts.size(); i += 2) {
      Term& term = plan.terms.emplace_back();
      (void)ReadNumber(parts[i], &term.position);
      (void)ReadNumber(parts[i + 1], &term.op);
    }
    return plan;
  }
};

struct ScanTable : sqlite3_vtab {
  ScanContext* context = nullptr;
  TablePtr def;
  std::vector<int32_t> key;  // column of each position
};

int PositionOf(const ScanTable& table, int column) {
  const auto found = std::ranges::find(table.key, column);
  return found == table.key.end() ? -1 : static_cast<int>(found - table.key.begin());
}

int Failed(ScanContext* context, const absl::Status& status) {
  context->error = status;
  return SQLITE_ERROR;
}

int Connect(sqlite3* database, void* data, int count, const char* const* arguments, sqlite3_vtab** table, char**) {
  auto* context = static_cast<ScanContext*>(data);
  size_t number = 0;
  if (count < 4 || !ReadNumber(arguments[3], &number) || number >= context->tables.size()) return SQLITE_ERROR;
  auto made = std::make_unique<ScanTable>();
  *static_cast<sqlite3_vtab*>(made.get()) = {};
  made->context = context;
  made->def = context->tables[number];
  made->key = made->def->KeyIndexes();
  // The row key is the table's key for SQLite: Phoenix's key columns may be null, a key column of SQLite may not.
  std::string declaration = "CREATE TABLE x(";
  for (size_t i = 0; i < made->def->columns.size(); ++i) AppendText(&declaration, "c", i, ", ");
  declaration += "k HIDDEN, t HIDDEN, PRIMARY KEY(k)) WITHOUT ROWID";
  const int code = sqlite3_declare_vtab(database, declaration.c_str());
  if (code == SQLITE_OK) *table = made.release();
  return code;
}

int Disconnect(sqlite3_vtab* table) {
  delete static_cast<ScanTable*>(table);
  return SQLITE_OK;
}

// Returns whether the scan's order is the one that is asked for, and sets `*reverse`. A key column with `one_value`
// orders no rows.
bool HasOrder(const ScanTable& table, const sqlite3_index_info& info, const std::vector<bool>& one_value,
              bool* reverse) {
  if (info.nOrderBy == 0) return false;
  size_t position = 0;
  std::optional<bool> backwards;
  for (int i = 0; i < info.nOrderBy; ++i, ++position) {
    while (position < table.key.size() && table.key[position] != info.aOrderBy[i].iColumn && one_value[position]) {
      ++position;
    }
    if (position >= table.key.size() || table.key[position] != info.aOrderBy[i].iColumn) return false;
    if (one_value[position]) continue;
    const ColumnDef& column = table.def->columns[static_cast<size_t>(info.aOrderBy[i].iColumn)];
    // A null comes first in a key, also in a descending column; CHAR is padded, so it orders in another way.
    if ((column.descending && column.nullable) || column.type.id == TypeId::kChar) return false;
    const bool against = (info.aOrderBy[i].desc != 0) != column.descending;
    if (backwards.value_or(against) != against) return false;
    backwards = against;
  }
  *reverse = backwards.value_or(false);
  return true;
}

std::optional<KeyOp> KeyOpOf(int op) {
  switch (op) {
    case SQLITE_INDEX_CONSTRAINT_ISNULL:
      return KeyOp::kIsNull;
    case SQLITE_INDEX_CONSTRAINT_EQ:
      return KeyOp::kEqual;
    case SQLITE_INDEX_CONSTRAINT_LT:
      return KeyOp::kLess;
    case SQLITE_INDEX_CONSTRAINT_LE:
      return KeyOp::kLessOrEqual;
    case SQLITE_INDEX_CONSTRAINT_GT:
      return KeyOp::kGreater;
    case SQLITE_INDEX_CONSTRAINT_GE:
      return KeyOp::kGreaterOrEqual;
    default:
      return std::nullopt;
  }
}

bool IsLimit(int op) { return op == SQLITE_INDEX_CONSTRAINT_LIMIT || op == SQLITE_INDEX_CONSTRAINT_OFFSET; }

// Asks for LIMIT and OFFSET, which SQLite applies itself: they say how many rows are likely to be enough.
void AddLimits(sqlite3_index_info* info, ScanPlan* plan) {
  if (info->nOrderBy > 0 && info->orderByConsumed == 0) return;
  for (int i = 0; i < info->nConstraint; ++i) {
    if (!IsLimit(info->aConstraint[i].op) || info->aConstraint[i].usable == 0) continue;
    plan->terms.push_back({-1, info->aConstraint[i].op});
    info->aConstraintUsage[i].argvIndex = static_cast<int>(plan->terms.size());
  }
}

int BestIndex(sqlite3_vtab* base, sqlite3_index_info* info) {
  const auto& table = *static_cast<ScanTable*>(base);
  ScanPlan plan;
  plan.columns_used = info->colUsed;
  for (const int32_t column : table.context->outputs) plan.columns_used |= ColumnBit(column);
  std::vector<double> selects(table.key.size(), 1);
  std::vector<bool> equal(table.key.size(), false);
  std::vector<bool> one_value(table.key.size(), false);
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& constraint = info->aConstraint[i];
    if (constraint.usable == 0 || IsLimit(constraint.op)) continue;
    const int position = PositionOf(table, constraint.iColumn);
    if (position < 0) continue;
    const std::optional<KeyOp> op = KeyOpOf(constraint.op);
    if (!op.has_value()) continue;
    const bool is_equal = op == KeyOp::kEqual || op == KeyOp::kIsNull;
    plan.terms.push_back({position, constraint.op});
    info->aConstraintUsage[i].argvIndex = static_cast<int>(plan.terms.size());
    const bool list = sqlite3_vtab_in(info, i, 1) != 0;
    double& select = selects[static_cast<size_t>(position)];
    select *= is_equal ? (list ? kEqualSelects / 10 : kEqualSelects) : kBoundSelects;
    if (!is_equal) continue;
    equal[static_cast<size_t>(position)] = true;
    // Two values may be 0 for a DOUBLE.
    const SqlType& type = table.def->columns[static_cast<size_t>(constraint.iColumn)].type;
    if (!list && type.kind() != ValueKind::kReal) one_value[static_cast<size_t>(position)] = true;
  }
  double rows = kRowsOfTable;
  for (size_t i = 0; i < selects.size(); ++i) {
    rows /= selects[i];
    if (!equal[i]) break;
  }
  if (std::ranges::all_of(equal, [](bool is) { return is; })) rows = 1;
  info->estimatedRows = static_cast<sqlite3_int64>(std::max(rows, 1.0));
  info->estimatedCost = rows + 10;
  info->orderByConsumed = HasOrder(table, *info, one_value, &plan.reverse) ? 1 : 0;
  if (info->orderByConsumed == 0) plan.reverse = false;
  AddLimits(info, &plan);
  info->idxStr = sqlite3_mprintf("%s", plan.ToString().c_str());
  info->needToFreeIdxStr = 1;
  return info->idxStr == nullptr ? SQLITE_NOMEM : SQLITE_OK;
}

struct Cursor : sqlite3_vtab_cursor {
  explicit Cursor(const ScanTable& of) : sqlite3_vtab_cursor{}, table(of), reader(*of.def) {
    ++table.context->open_scans;
  }
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;
  ~Cursor() {
    --table.context->open_scans;
    if (table.context->row == &reader) table.context->row = nullptr;
  }

  // Goes on to the next row.
  absl::Status Next() {
    for (;;) {
      auto next = stream->Next();
      // Phoenix's own tables are made with the first row.
      if (table.def->type == 's' && IsError(next.status(), ErrorKind::kTableNotFound)) next = std::nullopt;
      VAQUITA_ASSIGN_OR_RETURN(row, std::move(next));
      if (!row.has_value()) return absl::OkStatus();
      ++table.context->rows_read;
      table.context->cells_read += static_cast<int64_t>(row->cells.size());
      VAQUITA_ASSIGN_OR_RETURN(const bool is_row, Verify());
      if (!is_row) continue;
      reader.Start(&*row);
      table.context->row = &reader;
      return absl::OkStatus();
    }
  }

  // An index's row that a writer has not finished is what the table says. Returns whether there is such a row.
  absl::StatusOr<bool> Verify() {
    const TableDef& def = *table.def;
    if (def.indexed == nullptr) return true;
    const std::string* state = row->Value(def.EmptyCellFamily(), def.EmptyCellQualifier());
    if (state != nullptr && *state == kVerified) return true;
    if (checker == nullptr) {
      VAQUITA_ASSIGN_OR_RETURN(checker, IndexRows::Make(table.context->connection, table.def, def.indexed));
    }
    VAQUITA_ASSIGN_OR_RETURN(std::optional<client::Result> right, checker->RowByTable(row->cells.front().row));
    if (!right.has_value()) return false;
    row = std::move(right);
    return true;
  }

  const ScanTable& table;
  std::unique_ptr<IndexRows> checker;
  RowReader reader;
  std::optional<RowStream> stream;
  std::optional<client::Result> row;
};

int Open(sqlite3_vtab* table, sqlite3_vtab_cursor** cursor) {
  *cursor = new Cursor(*static_cast<ScanTable*>(table));
  return SQLITE_OK;
}

int Close(sqlite3_vtab_cursor* cursor) {
  delete static_cast<Cursor*>(cursor);
  return SQLITE_OK;
}

// Takes one condition. A value that has not the column's kind matches nothing, and as a bound says nothing.
void AddTerm(int op, sqlite3_value* value, const ColumnDef& column, KeyCondition* condition) {
  const KeyOp key_op = KeyOpOf(op).value_or(KeyOp::kEqual);
  std::vector<Value> values;
  const auto add = [&](sqlite3_value* one) {
    auto read = FromSqlite(one, column.type);
    if (read.ok()) values.push_back(*std::move(read));
  };
  if (key_op == KeyOp::kEqual) {
    sqlite3_value* item = nullptr;
    int code = sqlite3_vtab_in_first(value, &item);
    if (code == SQLITE_OK || code == SQLITE_DONE) {
      for (; code == SQLITE_OK && item != nullptr; code = sqlite3_vtab_in_next(value, &item)) add(item);
    } else {
      add(value);
    }
  } else if (key_op != KeyOp::kIsNull) {
    add(value);
    // FromSqlite takes the empty text for null.
    const bool is_null = sqlite3_value_type(value) == SQLITE_NULL;
    if (!is_null && (values.empty() || values[0].is_null())) return;
  }
  AddKeyCondition(key_op, values, column, condition);
}

int Filter(sqlite3_vtab_cursor* base, int, const char* text, int count, sqlite3_value** values) {
  auto& cursor = *static_cast<Cursor*>(base);
  const TableDef& def = *cursor.table.def;
  const ScanPlan plan = ScanPlan::Parse(text);
  const std::vector<KeyColumn> key = def.KeyColumns();
  std::vector<KeyCondition> conditions(key.size());
  sqlite3_int64 limit = 0;
  sqlite3_int64 offset = 0;
  for (int i = 0; i < count && i < static_cast<int>(plan.terms.size()); ++i) {
    const ScanPlan::Term& term = plan.terms[static_cast<size_t>(i)];
    if (term.position < 0) {
      const sqlite3_int64 rows = std::clamp(sqlite3_value_int64(values[i]), sqlite3_int64{0}, kMostLikelyRows);
      (term.op == SQLITE_INDEX_CONSTRAINT_LIMIT ? limit : offset) = rows;
      continue;
    }
    const auto position = static_cast<size_t>(term.position);
    AddTerm(term.op, values[i], def.columns[static_cast<size_t>(cursor.table.key[position])], &conditions[position]);
  }
  RowsToRead rows;
  rows.scan = cursor.reader.ScanOf(plan.columns_used);
  rows.scan.reversed = plan.reverse;
  rows.ranges = KeyRanges(key, conditions, def.salt_buckets);
  rows.likely_rows = limit > 0 ? limit + offset : 0;
  rows.salted = def.salt_buckets > 0;
  cursor.stream.emplace(cursor.table.context->connection->GetTable(def.HBaseName()), std::move(rows));
  const absl::Status status = cursor.Next();
  return status.ok() ? SQLITE_OK : Failed(cursor.table.context, status);
}

int NextRow(sqlite3_vtab_cursor* base) {
  auto& cursor = *static_cast<Cursor*>(base);
  const absl::Status status = cursor.Next();
  return status.ok() ? SQLITE_OK : Failed(cursor.table.context, status);
}

int AtEnd(sqlite3_vtab_cursor* base) { return static_cast<Cursor*>(base)->row.has_value() ? 0 : 1; }

// Returns the time of the row's last change: that of its empty cell, or of its first cell if it has none.
int64_t TimeOf(const client::Result& row, const TableDef& def) {
  const std::string family = def.EmptyCellFamily();
  const std::string qualifier = def.EmptyCellQualifier();
  for (const Cell& cell : row.cells)
    if (cell.family == family && cell.qualifier == qualifier) return cell.timestamp_ms;
  return row.cells.front().timestamp_ms;
}

int Column(sqlite3_vtab_cursor* base, sqlite3_context* context, int number) {
  auto& cursor = *static_cast<Cursor*>(base);
  const auto& columns = cursor.table.def->columns;
  if (number == static_cast<int>(columns.size())) {
    const std::string& row = cursor.row->cells.front().row;
    sqlite3_result_blob64(context, row.data(), row.size(), SQLITE_TRANSIENT);
    return SQLITE_OK;
  }
  if (number > static_cast<int>(columns.size())) {
    sqlite3_result_int64(context, TimeOf(*cursor.row, *cursor.table.def));
    return SQLITE_OK;
  }
  if (const auto text = cursor.reader.Text(number); text.has_value()) {
    sqlite3_result_text64(context, text->data(), text->size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    return SQLITE_OK;
  }
  const absl::StatusOr<Value> value = cursor.reader.Column(number);
  if (!value.ok()) return Failed(cursor.table.context, value.status());
  SetResult(context, columns[static_cast<size_t>(number)].type, *value);
  return SQLITE_OK;
}

const sqlite3_module& Module() {
  static const sqlite3_module module = [] {
    sqlite3_module made = {};
    made.xCreate = Guarded<Connect>::Call;
    made.xConnect = Guarded<Connect>::Call;
    made.xBestIndex = Guarded<BestIndex>::Call;
    made.xDisconnect = Guarded<Disconnect>::Call;
    made.xDestroy = Guarded<Disconnect>::Call;
    made.xOpen = Guarded<Open>::Call;
    made.xClose = Guarded<Close>::Call;
    made.xFilter = Guarded<Filter>::Call;
    made.xNext = Guarded<NextRow>::Call;
    made.xEof = Guarded<AtEnd>::Call;
    made.xColumn = Guarded<Column>::Call;
    return made;
  }();
  return module;
}

}  // namespace

absl::Status CreateScanTables(sqlite3* database, ScanContext* context) {
  for (const auto& table : context->tables)
    if (table != nullptr) VAQUITA_RETURN_IF_ERROR(table->CheckColumns());
  int code = sqlite3_create_module_v2(database, "scan", &Module(), context, nullptr);
  for (size_t i = 0; i < context->tables.size() && code == SQLITE_OK; ++i) {
    if (context->tables[i] == nullptr) continue;
    code = sqlite3_exec(database, Concat("CREATE VIRTUAL TABLE temp.t", i, " USING scan(", i, ")").c_str(), nullptr,
                        nullptr, nullptr);
  }
  return code == SQLITE_OK ? absl::OkStatus() : absl::InternalError(sqlite3_errmsg(database));
}

}  // namespace vaquita::sql

#include "sql/engine/query.h"

#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include "base/status.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/engine/engine_functions.h"
#include "sql/engine/scan_table.h"
#include "sql/engine/sqlite_value.h"

namespace vaquita::sql {
namespace {

constexpr int kStepsBetweenChecks = 1000;  // SQLite's machine takes some 10 to 20 for a row

// SQLite keeps each constant once, for which it compares it with all others: 60,000 take a quarter of a minute. In a
// long text it computes them where they stand.
constexpr size_t kLongTextBytes = 100'000;
constexpr unsigned int kOnceForAllRows = 0x8;  // SQLite's SQLITE_FactorOutConst

// Returns how many parentheses and CASE are within each other in SQLite's SQL.
int DepthOf(std::string_view text) {
  int depth = 0;
  int deepest = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (rest[0] == '(' || rest.starts_with("CASE WHEN ")) deepest = std::max(deepest, ++depth);
    if (rest[0] == ')' || rest.starts_with(" END")) --depth;
  }
  return deepest;
}

}  // namespace

Query::Query(QuerySource source, std::vector<TablePtr> tables, std::vector<SqlType> types)
    : limits_(std::move(source.limits)), memory_(limits_->most_memory_bytes), types_(std::move(types)) {
  context_.connection = std::move(source.connection);
  context_.tables = std::move(tables);
  sequence_values_.sequences = std::move(source.sequences);
  functions_ = {&context_.error, [this] { return Due(); }, &memory_};
  functions_.sequences = &sequence_values_;
}

Query::~Query() {
  const QueryMemory::Scope scope(&memory_);
  sqlite3_finalize(statement_);
  sqlite3_close(database_);
}

absl::StatusOr<std::unique_ptr<Query>> Query::Prepare(QuerySource source, std::vector<TablePtr> tables,
                                                      const std::string& text, std::vector<SqlType> types,
                                                      PartSource* parts) {
  auto query = std::unique_ptr<Query>(new Query(std::move(source), std::move(tables), std::move(types)));
  VAQUITA_RETURN_IF_ERROR(query->Open(text, parts));
  return query;
}

absl::StatusOr<std::unique_ptr<Query>> Query::PrepareRows(QuerySource source, TablePtr table, const std::string& text,
                                                          std::vector<int32_t> outputs) {
  auto query = std::unique_ptr<Query>(new Query(std::move(source), {std::move(table)}, {}));
  query->context_.outputs = std::move(outputs);
  VAQUITA_RETURN_IF_ERROR(query->Open(text, nullptr));
  return query;
}

absl::Status Query::Open(const std::string& text, PartSource* parts) {
  VAQUITA_RETURN_IF_ERROR(CountSqliteMemory());
  const QueryMemory::Scope scope(&memory_);
  if (sqlite3_open_v2(":memory:", &database_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr) != SQLITE_OK) {
    return absl::ResourceExhaustedError("SQLite cannot make a database in memory");
  }
  // A sort or group goes to files beyond some 2 MB. The files end with the query.
  VAQUITA_RETURN_IF_ERROR(Check(sqlite3_exec(database_, "PRAGMA temp_store = FILE", nullptr, nullptr, nullptr)));
  sqlite3_limit(database_, SQLITE_LIMIT_LENGTH, limits_->most_value_bytes);
  sqlite3_progress_handler(database_, kStepsBetweenChecks, &Query::EndIfDue, this);
  VAQUITA_RETURN_IF_ERROR(RegisterFunctions(database_, &functions_));
  VAQUITA_RETURN_IF_ERROR(CreateScanTables(database_, &context_));
  if (parts != nullptr) {
    parts->due = [this] { return Due(); };
    parts->error = &context_.error;
    VAQUITA_RETURN_IF_ERROR(CreatePartTable(database_, parts));
  }
  if (text.size() > kLongTextBytes) {
    sqlite3_test_control(SQLITE_TESTCTRL_OPTIMIZATIONS, database_, kOnceForAllRows);
  }
  const int code = sqlite3_prepare_v2(database_, text.c_str(), static_cast<int>(text.size()), &statement_, nullptr);
  if (code == SQLITE_ERROR && std::string_view(sqlite3_errmsg(database_)) == "parser stack overflow") {
    return NotSupported(Concat("A query with functions, CASE, operators or sub-queries ", DepthOf(text),
                               " deep within each other; by their kinds, it may have 10 to 30"));
  }
  return Check(code);
}

absl::Status Query::Start(std::span<const SqlType> parameters, std::span<const Value> values, int64_t now_ms) {
  const QueryMemory::Scope scope(&memory_);
  Finish();
  sequence_values_.Reset();
  functions_.now_ms = now_ms;
  ends_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(limits_->most_ms);
  const int count = sqlite3_bind_parameter_count(statement_);
  for (int i = 0; i < count && i < static_cast<int>(values.size()); ++i) {
    const auto at = static_cast<size_t>(i);
    VAQUITA_RETURN_IF_ERROR(Check(BindValue(statement_, i + 1, parameters[at], values[at])));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::optional<std::vector<Value>>> Query::Next() {
  const QueryMemory::Scope scope(&memory_);
  context_.error = absl::OkStatus();
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_DONE) {
    Finish();
    return std::nullopt;
  }
  if (code != SQLITE_ROW) return Check(code);
  return Outputs();
}

absl::StatusOr<std::vector<Value>> Query::Outputs() {
  std::vector<Value> row;
  row.reserve(types_.size() + context_.outputs.size());
  for (size_t i = 0; i < types_.size(); ++i) {
    VAQUITA_ASSIGN_OR_RETURN(Value value, ColumnValue(statement_, static_cast<int>(i), types_[i]));
    row.push_back(std::move(value));
  }
  for (const int32_t column : context_.outputs) {
    VAQUITA_ASSIGN_OR_RETURN(Value value, context_.row->Column(column));
    row.push_back(AsInSqlite(std::move(value)));
  }
  return row;
}

void Query::Finish() {
  const QueryMemory::Scope scope(&memory_);
  sqlite3_reset(statement_);
}

int64_t Query::memory_bytes() const {
  int64_t bytes = memory_.used_bytes() + context_.open_scans * kBytesOfScan;
  for (const auto& table : context_.tables)
    if (table != nullptr) bytes += table->memory_bytes();
  return bytes;
}

absl::Status Query::Due() const {
  if (limits_->interrupted) return absl::CancelledError("the server stops");
  if (limits_->cancelled) return absl::CancelledError("the statement was closed while it ran");
  if (limits_->client_gone != nullptr && *limits_->client_gone) return absl::CancelledError("the client has gone");
  return std::chrono::steady_clock::now() > ends_ ? SqlError(ErrorCode::kTimedOut) : absl::OkStatus();
}

// SQLite calls this now and then. Returns 1 and sets the error if the query has to end.
int Query::EndIfDue(void* query) {
  auto* self = static_cast<Query*>(query);
  const absl::Status due = self->Due();
  if (due.ok()) return 0;
  self->context_.error = due;
  return 1;
}

// Returns the error of the scan or function that failed, if one did; else SQLite's.
absl::Status Query::Check(int code) const {
  if (code == SQLITE_OK) return absl::OkStatus();
  if (!context_.error.ok()) return context_.error;
  // Only a sort, a group or a join's rows have files.
  const int kind = code & 0xFF;
  if (kind == SQLITE_FULL || kind == SQLITE_CANTOPEN || kind == SQLITE_IOERR) {
    return absl::ResourceExhaustedError(
        Concat("a temporary file of the query, in SQLITE_TMPDIR, TMPDIR, /var/tmp or /tmp: ",
               std::string(sqlite3_errmsg(database_))));
  }
  if (kind == SQLITE_NOMEM && !memory_.error().ok()) return memory_.error();
  if (kind == SQLITE_TOOBIG) {
    return SqlError(ErrorCode::kDataExceedsMaxCapacity,
                    Concat("A value of a query has at most ", limits_->most_value_bytes, " bytes"));
  }
  const std::string message = sqlite3_errmsg(database_);
  if (message == "integer overflow") {  // from SQLite's sum()
    return SqlError(ErrorCode::kDataExceedsMaxCapacity, "A SUM of whole numbers is beyond BIGINT");
  }
  for (const std::string_view limit : {"too large", "too many", "at most"}) {
    if (message.find(limit) != std::string::npos) {
      return NotSupported(Concat("A query of this size or depth; SQLite, which runs it, says: ", message));
    }
  }
  return absl::InternalError(Concat("SQLite: ", message));
}

}  // namespace vaquita::sql

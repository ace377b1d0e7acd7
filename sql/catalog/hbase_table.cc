#include "sql/catalog/hbase_table.h"

#include <utility>

#include "base/status.h"
#include "client/admin.h"
#include "sql/encoding/qualifier.h"

namespace vaquita::sql {
namespace {

constexpr size_t kRowsOfBatch = 1000;

}  // namespace

absl::Status FirstError(const std::vector<client::ActionResult>& results) {
  for (const client::ActionResult& result : results)
    if (!result.status.ok()) return result.status;
  return absl::OkStatus();
}

absl::Status ModifyTable(client::Connection* connection, const TableName& table, const TableChange& change) {
  const auto admin = connection->GetAdmin();
  VAQUITA_ASSIGN_OR_RETURN(const TableDescriptor before, admin->GetDescriptor(table));
  TableDescriptor after = before;
  VAQUITA_RETURN_IF_ERROR(change(&after));
  return after == before ? absl::OkStatus() : admin->ModifyTable(after);
}

absl::StatusOr<int64_t> RewriteRows(client::Table* table, const Scan& scan,
                                    absl::FunctionRef<std::optional<Action>(const client::Result& row)> change) {
  VAQUITA_ASSIGN_OR_RETURN(const auto scanner, table->GetScanner(scan));
  std::vector<Action> actions;
  for (int64_t rows = 0;; ++rows) {
    VAQUITA_ASSIGN_OR_RETURN(const std::optional<client::Result> row, scanner->Next());
    if (!row.has_value() || actions.size() == kRowsOfBatch) {
      VAQUITA_RETURN_IF_ERROR(FirstError(table->Batch(actions)));
      actions.clear();
    }
    if (!row.has_value()) return rows;
    if (std::optional<Action> action = change(*row)) actions.push_back(*std::move(action));
  }
}

Mutation PutOfEmptyCell(const TableDef& table, const std::string& row, int64_t timestamp_ms) {
  Mutation put;
  put.row = row;
  Cell& cell = put.cells.emplace_back();
  cell.family = table.EmptyCellFamily();
  cell.qualifier = table.EmptyCellQualifier();
  cell.value = kEmptyCellValue;
  cell.timestamp_ms = timestamp_ms;
  return put;
}

}  // namespace vaquita::sql

#include "tests/semantics/shaker.h"

#include "base/status.h"

namespace vaquita::semantics {

template <typename Action>
absl::Status Shaker::OnEachTable(Action action) {
  VAQUITA_ASSIGN_OR_RETURN(const auto tables, driver_->admin()->ListTableNames());
  for (const TableName& table : tables) {
    VAQUITA_ASSIGN_OR_RETURN(const TableState state, driver_->admin()->GetTableState(table));
    if (state == TableState::kEnabled) VAQUITA_RETURN_IF_ERROR(Annotate(action(table), "shake " + table.ToString()));
  }
  return absl::OkStatus();
}

absl::Status Shaker::Shake() {
  client::Admin* admin = driver_->admin();
  switch (random_() % 10) {
    case 0:
    case 1:
    case 2:
      return OnEachTable([&](const TableName& table) { return admin->Flush(table); });
    case 3:
      return OnEachTable([&](const TableName& table) { return admin->Compact(table, "", /*major=*/false); });
    case 4:
      return driver_->Restart();
    default:
      return absl::OkStatus();
  }
}

}  // namespace vaquita::semantics

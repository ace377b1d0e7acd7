#include "client/admin_base.h"

#include "client/region_list.h"
#include "engine/status.h"

namespace vaquita::client {

absl::Status AdminBase::CreateTable(const TableDescriptor& table, const std::vector<std::string>& split_keys) {
  VAQUITA_ASSIGN_OR_RETURN(const int64_t id, CreateTableAsync(table, split_keys));
  return WaitForProcedure(id);
}

absl::StatusOr<TableState> AdminBase::GetTableState(const TableName& table) {
  TableState state = TableState::kEnabled;
  VAQUITA_RETURN_IF_ERROR(
      Repeat(Repeatable::kYes, [&](TimePoint deadline) { return link().GetTableState(table, deadline, &state); }));
  return state;
}

absl::StatusOr<bool> AdminBase::TableExists(const TableName& table) {
  const absl::StatusOr<TableState> state = GetTableState(table);
  if (IsError(state.status(), ErrorKind::kTableNotFound)) return false;
  VAQUITA_RETURN_IF_ERROR(state.status());
  return true;
}

absl::StatusOr<std::vector<RegionLocation>> AdminBase::GetRegions(const TableName& table) {
  return ListRegions(*cluster_, table);
}

absl::Status AdminBase::Compact(const TableName& table, std::string_view family, bool major) {
  return CompactTable(table, family, major, /*wait=*/true);
}

absl::Status AdminBase::CompactAsync(const TableName& table, std::string_view family, bool major) {
  return CompactTable(table, family, major, /*wait=*/false);
}

// As RawAsyncHBaseAdmin.split: every region, or the one that holds the row, is asked to split; the first error counts.
absl::Status AdminBase::SplitTable(const TableName& table, std::string_view split_row) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<RegionLocation> regions, GetRegions(table));
  absl::Status first_error;
  std::vector<int64_t> started;
  for (const RegionLocation& region : regions) {
    if (!split_row.empty() && !region.info.ContainsRow(split_row)) continue;
    const absl::StatusOr<int64_t> id = StartSplit(region.info.EncodedName(), split_row);
    if (id.ok()) {
      started.push_back(*id);
    } else {
      first_error.Update(id.status());
    }
  }
  for (const int64_t id : started) first_error.Update(WaitForProcedure(id));
  return first_error;
}

absl::Status AdminBase::SplitRegion(std::string_view region, std::string_view split_row) {
  VAQUITA_ASSIGN_OR_RETURN(const int64_t id, StartSplit(region, split_row));
  return WaitForProcedure(id);
}

absl::Status AdminBase::Repeat(Repeatable repeatable, const Attempt& attempt) const {
  for (Retries retries(cluster_->options);;) {
    const CallOutcome outcome = attempt(retries.AttemptDeadline());
    if (outcome.ok() || !retries.Again(outcome, repeatable)) return outcome.status;
  }
}

}  // namespace vaquita::client

#include "client/admin_base.h"

#include <algorithm>

#include "base/java_regex.h"
#include "base/status.h"
#include "client/region_list.h"

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

// Asks every region, or the one that holds the row, to split, as RawAsyncHBaseAdmin.split does. Returns the first
// error.
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

absl::Status AdminBase::Snapshot(const SnapshotDescription& snapshot) {
  VAQUITA_RETURN_IF_ERROR(CheckSnapshotRequest(snapshot.name, snapshot.table));
  return TakeSnapshot(snapshot);
}

absl::StatusOr<std::vector<SnapshotDescription>> AdminBase::ListSnapshots(std::string_view regex) {
  VAQUITA_ASSIGN_OR_RETURN(const auto pattern, JavaRegex::CompileForNames(regex.empty() ? ".*" : regex));
  VAQUITA_ASSIGN_OR_RETURN(std::vector<SnapshotDescription> snapshots, ReadSnapshots());
  std::vector<SnapshotDescription> matching;
  for (SnapshotDescription& snapshot : snapshots) {
    VAQUITA_ASSIGN_OR_RETURN(const bool matches, pattern->IsFoundIn(snapshot.name));
    if (matches) matching.push_back(std::move(snapshot));
  }
  return matching;
}

absl::StatusOr<std::vector<SnapshotDescription>> AdminBase::ListTableSnapshots(std::string_view table_regex,
                                                                               std::string_view regex) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<TableName> tables, ListTableNames(table_regex, /*system=*/false));
  VAQUITA_ASSIGN_OR_RETURN(std::vector<SnapshotDescription> snapshots, ListSnapshots(regex));
  std::erase_if(snapshots, [&](const SnapshotDescription& snapshot) {
    return !std::binary_search(tables.begin(), tables.end(), snapshot.table);
  });
  return snapshots;
}

absl::Status AdminBase::CloneSnapshot(std::string_view name, const TableName& to, std::string_view tracker) {
  VAQUITA_RETURN_IF_ERROR(CheckSnapshotRequest(name, to));
  VAQUITA_ASSIGN_OR_RETURN(const bool exists, TableExists(to));
  if (exists) return Error(ErrorKind::kTableExists, to.ToString());
  VAQUITA_ASSIGN_OR_RETURN(const int64_t id, StartRestoration(name, to, tracker));
  return WaitForProcedure(id);
}

absl::Status AdminBase::RestoreSnapshot(std::string_view name) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<SnapshotDescription> snapshots, ReadSnapshots());
  const auto found = std::find_if(snapshots.begin(), snapshots.end(),
                                  [&](const SnapshotDescription& snapshot) { return snapshot.name == name; });
  if (found == snapshots.end()) {
    return Error(ErrorKind::kRestoreSnapshot, "Unable to find the table name for snapshot=" + std::string(name));
  }
  const absl::StatusOr<TableState> state = GetTableState(found->table);
  if (!state.ok() && !IsError(state.status(), ErrorKind::kTableNotFound)) return state.status();
  if (state.ok() && *state != TableState::kDisabled) {
    return Error(ErrorKind::kTableNotDisabled, found->table.ToString());
  }
  VAQUITA_ASSIGN_OR_RETURN(const int64_t id, StartRestoration(name, found->table, ""));
  return WaitForProcedure(id);
}

absl::Status AdminBase::DeleteSnapshots(std::string_view regex) { return Delete(ListSnapshots(regex)); }

absl::Status AdminBase::DeleteTableSnapshots(std::string_view table_regex, std::string_view regex) {
  return Delete(ListTableSnapshots(table_regex, regex));
}

absl::Status AdminBase::Delete(const absl::StatusOr<std::vector<SnapshotDescription>>& snapshots) {
  VAQUITA_RETURN_IF_ERROR(snapshots.status());
  absl::Status first_error;
  for (const SnapshotDescription& snapshot : *snapshots) first_error.Update(DeleteSnapshot(snapshot.name));
  return first_error;
}

absl::Status AdminBase::Repeat(Repeatable repeatable, const Attempt& attempt) const {
  for (Retries retries(cluster_->options);;) {
    const CallOutcome outcome = attempt(retries.AttemptDeadline());
    if (outcome.ok() || !retries.Again(outcome, repeatable)) return outcome.status;
  }
}

}  // namespace vaquita::client

// server/master/procedure/table_procedures.h: what creating, deleting, truncating, enabling, disabling and modifying a
// table do, step by step.
//
// Each Check function says, in HBase's words, whether the operation may run now; each other one runs it, in a procedure
// that has the table for itself, and checks again first. Crash safety: exactly one atomic edit (of hbase:meta, or of
// the descriptor for a modification) decides; what comes before it is a leftover that the next start drops, to do it
// all again (procedure_store.h), what comes after it the next start completes. Source: CreateTableProcedure and its kin
// (2.6).
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/table_descriptor.h"
#include "server/master/meta/assigned_region.h"
#include "server/master/procedure/procedure_executor.h"

namespace vaquita {

struct MasterParts;

absl::Status CheckCreateTable(const MasterParts& master, const TableDescriptor& table);
absl::Status CheckTableIsDisabled(const MasterParts& master, const TableName& table);  // for deletion
absl::Status CheckTruncateTable(const MasterParts& master, const TableName& table);
absl::Status CheckEnableTable(const MasterParts& master, const TableName& table);
absl::Status CheckDisableTable(const MasterParts& master, const TableName& table);
absl::Status CheckModifyTable(const MasterParts& master, const TableDescriptor& table);
// The table's descriptor with a change made to it, if that may be done.
absl::StatusOr<TableDescriptor> CheckAlterTable(const MasterParts& master, const TableName& table,
                                                const TableChange& change);

using Progress = ProcedureExecutor::Progress;
// `split_keys`: ascending and checked.
absl::Status CreateTable(MasterParts& master, const TableDescriptor& table, const std::vector<std::string>& split_keys,
                         Progress& progress);
absl::Status DeleteTable(MasterParts& master, const TableName& table, Progress& progress);
absl::Status TruncateTable(MasterParts& master, const TableName& table, bool preserve_splits, Progress& progress);
absl::Status EnableTable(MasterParts& master, const TableName& table, Progress& progress);
// Ends an enabling or disabling that another master began.
absl::Status CompleteTableState(MasterParts& master, const TableName& table, Progress& progress);
absl::Status DisableTable(MasterParts& master, const TableName& table, Progress& progress);
absl::Status ModifyTable(MasterParts& master, const TableDescriptor& table, Progress& progress);
absl::Status AlterTable(MasterParts& master, const TableName& table, const TableChange& change, Progress& progress);

}  // namespace vaquita

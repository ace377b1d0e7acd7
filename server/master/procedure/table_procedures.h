// server/master/procedure/table_procedures.h: the steps of creating, deleting, truncating, enabling, disabling and
// modifying a table.
//
// Each Check function returns HBase's error if the operation may not run now. Each other function checks again and runs
// it, in a procedure that holds the table exclusively. Crash safety: exactly one atomic edit (of hbase:meta, or of the
// descriptor for a modification) decides. The next start drops results of earlier steps, to repeat the operation
// (procedure_store.h), and completes later steps. Source: CreateTableProcedure and its kin (2.6).
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
// Checks a change of table `name` for which no region is to be opened anew; that excludes some changes
// (ModifyTableProcedure.preflightChecks).
absl::Status CheckModifyWithoutReopen(const MasterParts& master, const TableName& name, const TableDescriptor& after);
// Returns the table's descriptor `before` after the change, or an error if the change may not be made.
absl::StatusOr<TableDescriptor> CheckAlterTable(const MasterParts& master, const TableDescriptor& before,
                                                const TableChange& change);

using Progress = ProcedureExecutor::Progress;
// `split_keys` are ascending and checked.
absl::Status CreateTable(MasterParts& master, const TableDescriptor& table, const std::vector<std::string>& split_keys,
                         Progress& progress);
// Gives a new table's owner every right to it; nothing if `owner` is empty, or users have no rights.
absl::Status GrantToOwner(MasterParts& master, const TableName& table, const std::string& owner);
// Forget what is kept beside a table or a namespace that was deleted: its quotas, and the rights to it. To do it twice
// changes nothing.
absl::Status ForgetBeside(MasterParts& master, const TableName& table);
absl::Status ForgetBeside(MasterParts& master, const std::string& ns);
// Removes an empty namespace, with what is kept beside it.
absl::Status DeleteNamespace(MasterParts& master, const std::string& ns);
absl::Status DeleteTable(MasterParts& master, const TableName& table, Progress& progress);
absl::Status TruncateTable(MasterParts& master, const TableName& table, bool preserve_splits, Progress& progress);
absl::Status EnableTable(MasterParts& master, const TableName& table, Progress& progress);
// Ends an enabling or disabling that another master began.
absl::Status CompleteTableState(MasterParts& master, const TableName& table, Progress& progress);
absl::Status DisableTable(MasterParts& master, const TableName& table, Progress& progress);
absl::Status ModifyTable(MasterParts& master, const TableDescriptor& table, Progress& progress);
absl::Status AlterTable(MasterParts& master, const TableName& table, const TableChange& change, Progress& progress);

}  // namespace vaquita

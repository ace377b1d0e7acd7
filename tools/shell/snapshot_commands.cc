// Commands over snapshots of tables. Source: hbase-shell's commands of the group snapshots (2.6.0).
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "model/snapshot_description.h"
#include "tools/shell/cell_text.h"
#include "tools/shell/command.h"
#include "tools/shell/read_arguments.h"

namespace vaquita::shell {
namespace {

// Returns a number of the options; 0 for -1, as in HBase, and for a missing one, so that the server's own applies.
absl::StatusOr<int64_t> NumberOption(const Hash& options, std::string_view name) {
  VAQUITA_ASSIGN_OR_RETURN(const int64_t number, IntegerOption(options, name, 0));
  return number == -1 ? 0 : number;
}

absl::Status TakeSnapshot(Context& context, SnapshotDescription snapshot, const Hash& options) {
  VAQUITA_ASSIGN_OR_RETURN(snapshot.ttl_s, NumberOption(options, "TTL"));
  VAQUITA_ASSIGN_OR_RETURN(snapshot.max_file_bytes, NumberOption(options, "MAX_FILESIZE"));
  const Value* skip_flush = Find(options, "SKIP_FLUSH");
  if (skip_flush != nullptr && *skip_flush == Value(true)) snapshot.type = SnapshotType::kSkipFlush;
  return context.admin.Snapshot(snapshot);
}

// As HBase's shell: one for each hash of options, which are then its value.
absl::StatusOr<Value> Snapshot(Context& context, Arguments& arguments) {
  SnapshotDescription snapshot;
  VAQUITA_ASSIGN_OR_RETURN(snapshot.table, TableArgument(arguments[0]));
  VAQUITA_ASSIGN_OR_RETURN(snapshot.name, NameArgument(arguments[1], "Snapshot"));
  if (arguments.size() == 2) {
    return NilOr(context.admin.Snapshot(snapshot));
  }
  for (size_t i = 2; i < arguments.size(); ++i) {
    VAQUITA_ASSIGN_OR_RETURN(const Hash options, OptionsArgument(arguments, i));
    VAQUITA_RETURN_IF_ERROR(TakeSnapshot(context, snapshot, options));
  }
  return Value(Array(arguments.begin() + 2, arguments.end()));
}

// An error tells of the table, which is the second argument.
absl::Status AboutTable(const absl::Status& status, const TableName& table) {
  if (IsError(status, ErrorKind::kTableExists)) {
    return ShellError(absl::StrCat("Table already exists: ", table.ToString(), "!"));
  }
  if (IsError(status, ErrorKind::kNamespaceNotFound)) {
    return ShellError(absl::StrCat("Unknown namespace: ", table.ns, "!"));
  }
  return status;
}

// There are no ACLs here, so RESTORE_ACL has nothing to restore.
absl::StatusOr<Value> CloneSnapshot(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName to, TableArgument(arguments[1]));
  VAQUITA_ASSIGN_OR_RETURN(const Hash options, OptionsArgument(arguments, 2));
  const Value* tracker = Find(options, "CLONE_SFT");
  return NilOr(AboutTable(
      context.admin.CloneSnapshot(arguments[0].ToText(), to, tracker == nullptr ? "" : tracker->ToText()), to));
}

absl::StatusOr<Value> RestoreSnapshot(Context& context, Arguments& arguments) {
  VAQUITA_RETURN_IF_ERROR(OptionsArgument(arguments, 1).status());
  return NilOr(context.admin.RestoreSnapshot(arguments[0].ToText()));
}

absl::StatusOr<Value> DeleteSnapshot(Context& context, Arguments& arguments) {
  return NilOr(context.admin.DeleteSnapshot(arguments[0].ToText()));
}

// Prints what was found as a table, without its footer.
void PrintSnapshots(Context& context, const std::vector<SnapshotDescription>& snapshots) {
  context.formatter.Header({"SNAPSHOT", "TABLE + CREATION TIME"});
  for (const SnapshotDescription& snapshot : snapshots) {
    context.formatter.Row(
        {snapshot.name, absl::StrCat(snapshot.table.ToString(), " (", TimeText(snapshot.created_ms), ")")});
  }
}

// Prints snapshots with a footer, and returns their names.
absl::StatusOr<Value> ListFound(Context& context, const absl::StatusOr<std::vector<SnapshotDescription>>& found) {
  PrintSnapshots(context, found.ok() ? *found : std::vector<SnapshotDescription>());
  VAQUITA_RETURN_IF_ERROR(found.status());
  context.formatter.Footer();
  Array names;
  for (const SnapshotDescription& snapshot : *found) names.emplace_back(snapshot.name);
  return Value(std::move(names));
}

absl::StatusOr<Value> ListSnapshots(Context& context, Arguments& arguments) {
  return ListFound(context, context.admin.ListSnapshots(TextArgument(arguments, 0)));
}

absl::StatusOr<Value> ListTableSnapshots(Context& context, Arguments& arguments) {
  return ListFound(context, context.admin.ListTableSnapshots(arguments[0].ToText(), TextArgument(arguments, 1)));
}

bool DeletionConfirmed(Context& context, size_t snapshots) {
  return Confirmed(context, absl::StrCat("Delete the above ", snapshots, " snapshots (y/n)?"));
}

absl::StatusOr<Value> DeleteAllSnapshot(Context& context, Arguments& arguments) {
  const std::string regex = arguments[0].ToText();
  VAQUITA_ASSIGN_OR_RETURN(const auto found, context.admin.ListSnapshots(regex));
  PrintSnapshots(context, found);
  if (found.empty()) context.out << "No snapshots matched the regex " << regex << "\n";
  if (found.empty() || !DeletionConfirmed(context, found.size())) return Value();
  VAQUITA_RETURN_IF_ERROR(context.admin.DeleteSnapshots(regex));
  VAQUITA_ASSIGN_OR_RETURN(const auto left, context.admin.ListSnapshots(regex));
  if (found.size() > left.size()) {
    context.out << found.size() - left.size() << " snapshots successfully deleted.\n";
  }
  if (left.empty()) return Value();
  context.out << "\nFailed to delete the below " << left.size() << " snapshots.\n";
  PrintSnapshots(context, left);
  return Value();
}

absl::StatusOr<Value> DeleteTableSnapshots(Context& context, Arguments& arguments) {
  const std::string table_regex = arguments[0].ToText();
  const std::string regex = arguments.size() > 1 ? arguments[1].ToText() : ".*";
  VAQUITA_ASSIGN_OR_RETURN(const auto found, context.admin.ListTableSnapshots(table_regex, regex));
  PrintSnapshots(context, found);
  if (found.empty()) {
    context.out << "No snapshots matched the table name regular expression " << table_regex
                << " and the snapshot name regular expression " << regex << "\n";
  }
  if (found.empty() || !DeletionConfirmed(context, found.size())) return Value();
  for (const SnapshotDescription& snapshot : found) {
    const absl::Status status = context.admin.DeleteSnapshot(snapshot.name);
    if (status.ok()) {
      context.out << "Successfully deleted snapshot: " << snapshot.name << "\n\n";
    } else {
      context.out << "Failed to delete snapshot: " << snapshot.name << ", due to below exception,\n"
                  << ExceptionClass(status) << ": " << StdText(status.message()) << "\n\n";
    }
  }
  return Value();
}

constexpr Command kSnapshotCommands[] = {
    {"snapshot", 2, Command::kAnyNumber, Snapshot,
     R"help(Takes a snapshot of a table: what it holds now, kept by hard links. With SKIP_FLUSH, without what its memstores
hold. TTL is in seconds; MAX_FILESIZE is that of the tables made of it, if the table has none.

  hbase> snapshot 't1', 'snapshot1'
  hbase> snapshot 'ns1:t1', 'snapshot1', {TTL => 86400}
  hbase> snapshot 't1', 'snapshot1', {SKIP_FLUSH => true, MAX_FILESIZE => 21474836480}
)help"},
    {"clone_snapshot", 2, 3, CloneSnapshot,
     "Makes a new table of a snapshot.\n\n  hbase> clone_snapshot 'snapshot1', 't2'\n  hbase> clone_snapshot "
     "'snapshot1', 'ns1:t2', {CLONE_SFT => 'FILE'}\n"},
    {"restore_snapshot", 1, 2, RestoreSnapshot,
     "Gives a disabled table the data and the schema that it had when the snapshot was taken.\n\n  hbase> "
     "restore_snapshot 'snapshot1'\n"},
    {"delete_snapshot", 1, 1, DeleteSnapshot, "Deletes a snapshot.\n\n  hbase> delete_snapshot 'snapshot1'\n"},
    {"delete_all_snapshot", 1, 1, DeleteAllSnapshot,
     "Deletes every snapshot that a regular expression matches, after a question.\n\n  hbase> delete_all_snapshot "
     "'s.*'\n"},
    {"delete_table_snapshots", 1, 2, DeleteTableSnapshots,
     "Deletes the snapshots of every table that a regular expression matches, or those of them that a second one\n"
     "matches, after a question.\n\n  hbase> delete_table_snapshots 't1'\n  hbase> delete_table_snapshots 'ns1:t.*', "
     "'s.*'\n"},
    {"list_snapshots", 0, 1, ListSnapshots,
     "Lists the snapshots; with a regular expression, those whose whole name it matches.\n\n  hbase> list_snapshots\n  "
     "hbase> list_snapshots 'abc.*'\n"},
    {"list_table_snapshots", 1, 2, ListTableSnapshots,
     "Lists the snapshots of every table that a regular expression matches, or those of them that a second one "
     "matches.\n\n  hbase> list_table_snapshots 't1'\n  hbase> list_table_snapshots 'ns1:t.*', 's.*'\n"},
};

}  // namespace

std::span<const Command> SnapshotCommands() { return kSnapshotCommands; }

}  // namespace vaquita::shell

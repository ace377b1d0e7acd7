// Commands over tables as a whole. Source: hbase-shell's commands of the group ddl (2.6).
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "model/region_info.h"
#include "model/server_name.h"
#include "model/table_descriptor.h"
#include "tools/shell/alter_table.h"
#include "tools/shell/cell_text.h"
#include "tools/shell/command.h"
#include "tools/shell/list_regions.h"
#include "tools/shell/quota_list.h"
#include "tools/shell/table_arguments.h"

namespace vaquita::shell {
namespace {

absl::Status RequireTable(Context& context, const TableName& table) {
  VAQUITA_ASSIGN_OR_RETURN(const bool exists, context.admin.TableExists(table));
  return exists ? absl::OkStatus() : ShellError(absl::StrCat("Table ", table.ToString(), " does not exist."));
}

absl::StatusOr<bool> IsInState(Context& context, const TableName& table, TableState state) {
  VAQUITA_ASSIGN_OR_RETURN(const TableState actual, context.admin.GetTableState(table));
  return actual == state;
}

absl::StatusOr<std::vector<std::string>> TableNames(Context& context, std::string_view regex) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<TableName> tables, context.admin.ListTableNames(regex));
  std::vector<std::string> names;
  for (const TableName& table : tables) names.push_back(table.ToString());
  return names;
}

absl::StatusOr<Value> Create(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const NewTable table, ReadNewTable(arguments, context.out));
  VAQUITA_RETURN_IF_ERROR(context.admin.CreateTable(table.descriptor, table.split_keys));
  const std::string name = table.descriptor.name.ToString();
  context.out << "Created table " << name << "\n";
  return Value(TableReference{name});
}

absl::StatusOr<Value> Alter(Context& context, Arguments& arguments) {
  return NilOr(AlterTable(context, arguments, /*wait=*/true));
}

absl::StatusOr<Value> AlterAsync(Context& context, Arguments& arguments) {
  return NilOr(AlterTable(context, arguments, /*wait=*/false));
}

absl::StatusOr<Value> AlterStatus(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableArgument(arguments[0]));
  VAQUITA_ASSIGN_OR_RETURN(const bool exists, context.admin.TableExists(table));
  if (!exists) return ShellError(absl::StrCat("Can't find a table: ", table.ToString()));
  return NilOr(PrintAlterStatus(context, table));
}

absl::StatusOr<Value> Describe(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, TableArgument(arguments[0]));
  VAQUITA_RETURN_IF_ERROR(RequireTable(context, name));
  VAQUITA_ASSIGN_OR_RETURN(const TableDescriptor table, context.admin.GetDescriptor(name));
  VAQUITA_ASSIGN_OR_RETURN(const bool enabled, IsInState(context, name, TableState::kEnabled));
  context.formatter.Header({absl::StrCat("Table ", name.ToString(), " is ", enabled ? "ENABLED" : "DISABLED")});
  context.formatter.Row({name.ToString() + AttributesText(table)});
  context.formatter.Header({"COLUMN FAMILIES DESCRIPTION"});
  for (const auto& [family_name, family] : table.families) {
    context.formatter.Row({family.Describe()});
    context.out << "\n";
  }
  context.formatter.Footer();
  VAQUITA_ASSIGN_OR_RETURN(const bool has_quotas, HasQuotas(context));
  if (!has_quotas) {
    context.out << "Quota is disabled\n";
  } else if (name != kMetaTableName) {
    context.out << "\n";
    context.formatter.Header({"QUOTAS"});
    VAQUITA_RETURN_IF_ERROR(PrintQuotas(context, {.table = name.ToString()}));
  }
  return Value();
}

absl::StatusOr<Value> List(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const auto names, TableNames(context, arguments.empty() ? "" : arguments[0].ToText()));
  return PrintNames(context, "TABLE", names);
}

absl::StatusOr<Value> ListInState(Context& context, TableState state) {
  VAQUITA_ASSIGN_OR_RETURN(const auto tables, context.admin.ListTableNames());
  std::vector<std::string> names;
  for (const TableName& table : tables) {
    VAQUITA_ASSIGN_OR_RETURN(const bool matches, IsInState(context, table, state));
    if (matches) names.push_back(table.ToString());
  }
  return PrintNames(context, "TABLE", names);
}

absl::StatusOr<Value> ListEnabledTables(Context& context, Arguments&) {
  return ListInState(context, TableState::kEnabled);
}

absl::StatusOr<Value> ListDisabledTables(Context& context, Arguments&) {
  return ListInState(context, TableState::kDisabled);
}

absl::StatusOr<Value> Exists(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableArgument(arguments[0]));
  VAQUITA_ASSIGN_OR_RETURN(const bool exists, context.admin.TableExists(table));
  context.formatter.Row({absl::StrCat("Table ", table.ToString(), exists ? " does exist" : " does not exist")});
  return Value(exists);
}

absl::StatusOr<Value> PrintIsInState(Context& context, Arguments& arguments, TableState state) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableArgument(arguments[0]));
  VAQUITA_ASSIGN_OR_RETURN(const bool matches, IsInState(context, table, state));
  return PrintFlag(context, matches);
}

absl::StatusOr<Value> IsEnabled(Context& context, Arguments& arguments) {
  return PrintIsInState(context, arguments, TableState::kEnabled);
}

absl::StatusOr<Value> IsDisabled(Context& context, Arguments& arguments) {
  return PrintIsInState(context, arguments, TableState::kDisabled);
}

absl::StatusOr<Value> Enable(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableArgument(arguments[0]));
  VAQUITA_RETURN_IF_ERROR(RequireTable(context, table));
  VAQUITA_ASSIGN_OR_RETURN(const bool done, IsInState(context, table, TableState::kEnabled));
  return done ? Value() : NilOr(context.admin.EnableTable(table));
}

absl::StatusOr<Value> Disable(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableArgument(arguments[0]));
  VAQUITA_RETURN_IF_ERROR(RequireTable(context, table));
  VAQUITA_ASSIGN_OR_RETURN(const bool done, IsInState(context, table, TableState::kDisabled));
  return done ? Value() : NilOr(context.admin.DisableTable(table));
}

absl::StatusOr<Value> Drop(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableArgument(arguments[0]));
  VAQUITA_RETURN_IF_ERROR(RequireTable(context, table));
  VAQUITA_ASSIGN_OR_RETURN(const bool enabled, IsInState(context, table, TableState::kEnabled));
  if (enabled) return ShellError(absl::StrCat("Table ", table.ToString(), " is enabled. Disable it first."));
  return NilOr(context.admin.DeleteTable(table));
}

// A question before something is done to every table that a regular expression matches.
struct Sweep {
  const char* verb;
  const char* done;
  absl::Status (client::Admin::*act)(const TableName& table);
};

absl::StatusOr<Value> RunSweep(Context& context, Arguments& arguments, const Sweep& sweep) {
  const std::string regex = arguments[0].ToText();
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<TableName> tables, context.admin.ListTableNames(regex));
  for (const TableName& table : tables) context.formatter.Row({table.ToString()});
  if (tables.empty()) {
    context.out << "No tables matched the regex " << regex << "\n";
    return Value();
  }
  if (!Confirmed(context, absl::StrCat(sweep.verb, " the above ", tables.size(), " tables (y/n)?"))) return Value();
  std::vector<std::string> failed;
  for (const TableName& table : tables) {
    const absl::Status status = (context.admin.*sweep.act)(table);
    if (status.ok()) continue;
    failed.push_back(table.ToString());
    context.out << "table:" << table.ToString() << ", error:" << ExceptionClass(status) << ": "
                << StdText(status.message()) << "\n";
  }
  context.out << tables.size() - failed.size() << " tables successfully " << sweep.done << "\n";
  if (!failed.empty()) {
    context.out << failed.size() << " tables not " << sweep.done
                << " due to an exception: " << absl::StrJoin(failed, ",") << "\n";
  }
  return Value();
}

absl::StatusOr<Value> EnableAll(Context& context, Arguments& arguments) {
  return RunSweep(context, arguments, {"Enable", "enabled", &client::Admin::EnableTable});
}

absl::StatusOr<Value> DisableAll(Context& context, Arguments& arguments) {
  return RunSweep(context, arguments, {"Disable", "disabled", &client::Admin::DisableTable});
}

absl::StatusOr<Value> DropAll(Context& context, Arguments& arguments) {
  return RunSweep(context, arguments, {"Drop", "dropped", &client::Admin::DeleteTable});
}

absl::StatusOr<Value> GetTable(Context&, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableArgument(arguments[0]));
  return Value(TableReference{table.ToString()});
}

absl::StatusOr<Value> LocateRegion(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const auto table, OpenTable(context, arguments[0]));
  VAQUITA_ASSIGN_OR_RETURN(const auto location, table->LocateRow(FromStringBinary(arguments[1].ToText())));
  context.formatter.Header({"HOST", "REGION"});
  const auto server = ServerName::Parse(location.server_name);
  context.formatter.Row({server.ok() ? server->Address() : location.server_name, RegionText(location.info)});
  context.formatter.Footer(1);
  return Value();
}

absl::StatusOr<Value> ListRegionsCommand(Context& context, Arguments& arguments) {
  return NilOr(ListRegions(context, arguments));
}

absl::StatusOr<Value> ShowFilters(Context& context, Arguments&) {
  static const char* const kFilters[] = {"ColumnCountGetFilter",
                                         "ColumnPaginationFilter",
                                         "ColumnPrefixFilter",
                                         "ColumnRangeFilter",
                                         "ColumnValueFilter",
                                         "DependentColumnFilter",
                                         "FamilyFilter",
                                         "FirstKeyOnlyFilter",
                                         "InclusiveStopFilter",
                                         "KeyOnlyFilter",
                                         "MultipleColumnPrefixFilter",
                                         "PageFilter",
                                         "PrefixFilter",
                                         "QualifierFilter",
                                         "RowFilter",
                                         "SingleColumnValueExcludeFilter",
                                         "SingleColumnValueFilter",
                                         "TimestampsFilter",
                                         "ValueFilter"};
  for (const char* filter : kFilters) context.formatter.Row({filter});
  return Value();
}

absl::StatusOr<Value> CloneTableSchema(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName source, TableArgument(arguments[0]));
  VAQUITA_ASSIGN_OR_RETURN(TableDescriptor table, context.admin.GetDescriptor(source));
  VAQUITA_ASSIGN_OR_RETURN(table.name, TableArgument(arguments[1]));
  std::vector<std::string> split_keys;
  if (arguments.size() < 3 || arguments[2].IsTruthy()) {
    VAQUITA_ASSIGN_OR_RETURN(const auto regions, context.admin.GetRegions(source));
    for (const auto& region : regions) {
      if (!region.info.start_key.empty()) split_keys.push_back(region.info.start_key);
    }
  }
  return NilOr(context.admin.CreateTable(table, split_keys));
}

constexpr int kAny = Command::kAnyNumber;

constexpr Command kDdlCommands[] = {
    {"create", 1, kAny, Create,
     R"help(Creates a table: its name, then its families and, if you like, options of the table.
A family is a name, or a hash with NAME and options.

  hbase> create 't1', 'f1', 'f2'
  hbase> create 'ns1:t1', {NAME => 'f1', VERSIONS => 5, TTL => '7 DAYS', COMPRESSION => 'ZSTD'}, {NAME => 'f2'}
  hbase> create 't1', 'f1', SPLITS => ['10', '20', '30']
  hbase> create 't1', 'f1', SPLITS_FILE => 'splits.txt'
  hbase> create 't1', 'f1', {NUMREGIONS => 15, SPLITALGO => 'HexStringSplit'}
  hbase> create 't1', 'f1', {MAX_FILESIZE => 1073741824, DURABILITY => 'ASYNC_WAL', METADATA => {'owner' => 'me'}}

A splits file has one key a line. Split algorithms: HexStringSplit, DecimalStringSplit, UniformSplit.
)help"},
    {"alter", 1, kAny, Alter,
     R"help(Changes a table: adds or changes families, removes them, sets or unsets attributes of the table.

  hbase> alter 't1', NAME => 'f1', VERSIONS => 5
  hbase> alter 't1', 'f2', {NAME => 'f3', TTL => 3600}
  hbase> alter 't1', NAME => 'f1', METHOD => 'delete'
  hbase> alter 't1', 'delete' => 'f1'
  hbase> alter 't1', MAX_FILESIZE => '134217728'
  hbase> alter 't1', CONFIGURATION => {'hbase.hstore.blockingStoreFiles' => '20'}
  hbase> alter 't1', METHOD => 'table_att_unset', NAME => 'MAX_FILESIZE'
  hbase> alter 't1', METHOD => 'table_conf_unset', NAME => 'hbase.hstore.blockingStoreFiles'
)help"},
    {"alter_async", 1, kAny, AlterAsync,
     "Changes a table as alter does, without printing its progress.\n\n  hbase> alter_async 't1', NAME => 'f1', "
     "VERSIONS => 5\n"},
    {"alter_status", 1, 1, AlterStatus,
     "Prints how many regions of a table have its newest schema.\n\n  hbase> alter_status 't1'\n"},
    {"describe", 1, 1, Describe,
     "Describes a table: its state, attributes and families. Short: desc.\n\n  hbase> describe 't1'\n  hbase> desc "
     "'ns1:t1'\n"},
    {"list", 0, 1, List,
     "Lists the users' tables; with a regular expression, those whose whole name it matches.\n\n  hbase> list\n  "
     "hbase> list 'abc.*'\n  hbase> list 'ns:.*'\n"},
    {"list_enabled_tables", 0, 0, ListEnabledTables,
     "Lists the tables that are enabled.\n\n  hbase> list_enabled_tables\n"},
    {"list_disabled_tables", 0, 0, ListDisabledTables,
     "Lists the tables that are disabled.\n\n  hbase> list_disabled_tables\n"},
    {"exists", 1, 1, Exists, "Tells whether a table exists.\n\n  hbase> exists 't1'\n"},
    {"enable", 1, 1, Enable, "Brings a disabled table back into service.\n\n  hbase> enable 't1'\n"},
    {"disable", 1, 1, Disable,
     "Takes a table out of service; its data stays. A table must be disabled before it can be dropped.\n\n  hbase> "
     "disable 't1'\n"},
    {"is_enabled", 1, 1, IsEnabled, "Tells whether a table is enabled.\n\n  hbase> is_enabled 't1'\n"},
    {"is_disabled", 1, 1, IsDisabled, "Tells whether a table is disabled.\n\n  hbase> is_disabled 't1'\n"},
    {"enable_all", 1, 1, EnableAll,
     "Enables every table that a regular expression matches, after a question.\n\n  hbase> enable_all 't.*'\n"},
    {"disable_all", 1, 1, DisableAll,
     "Disables every table that a regular expression matches, after a question.\n\n  hbase> disable_all 't.*'\n"},
    {"drop", 1, 1, Drop, "Removes a disabled table and its data.\n\n  hbase> drop 't1'\n"},
    {"drop_all", 1, 1, DropAll,
     "Removes every disabled table that a regular expression matches, after a question.\n\n  hbase> drop_all 't.*'\n"},
    {"get_table", 1, 1, GetTable,
     "Gives a table that a variable can hold. Its commands then need no table name.\n\n  hbase> t = get_table 't1'\n  "
     "hbase> t.put 'r1', 'f:q', 'v'\n  hbase> t.scan\n"},
    {"locate_region", 2, 2, LocateRegion,
     "Tells which region holds a row, and where it is.\n\n  hbase> locate_region 't1', 'row'\n"},
    {"list_regions", 1, 3, ListRegionsCommand,
     R"help(Lists a table's regions: server, name, keys, size in MB, requests, locality.
A second argument keeps the servers whose name starts with it, a third chooses columns.

  hbase> list_regions 't1'
  hbase> list_regions 't1', 'server1'
  hbase> list_regions 't1', {SERVER_NAME => 'server1', LOCALITY_THRESHOLD => 0.8}
  hbase> list_regions 't1', nil, ['REGION_NAME', 'START_KEY', 'SIZE']
)help"},
    {"show_filters", 0, 0, ShowFilters, "Lists the filters that FILTER => \"...\" knows.\n\n  hbase> show_filters\n"},
    {"clone_table_schema", 2, 3, CloneTableSchema,
     "Creates an empty table with another one's schema and, unless the last argument is false, split keys.\n\n  hbase> "
     "clone_table_schema 't1', 't2'\n  hbase> clone_table_schema 't1', 't2', false\n"},
};

}  // namespace

std::span<const Command> DdlCommands() { return kDdlCommands; }

}  // namespace vaquita::shell

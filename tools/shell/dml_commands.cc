// Commands over rows. Source: hbase-shell's commands of the group dml (2.6).
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "model/region_info.h"
#include "tools/shell/cell_text.h"
#include "tools/shell/command.h"
#include "tools/shell/mutation_arguments.h"
#include "tools/shell/read_arguments.h"

namespace vaquita::shell {
namespace {

absl::StatusOr<Value> Put(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const auto table, OpenTable(context, arguments[0]));
  VAQUITA_ASSIGN_OR_RETURN(const Mutation put, ReadPut(arguments));
  return NilOr(table->Mutate(put).status());
}

absl::StatusOr<Value> GetRow(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const auto table, OpenTable(context, arguments[0]));
  context.formatter.Header({"COLUMN", "CELL"});
  CellFormat format;
  format.is_meta = table->name() == kMetaTableName;
  VAQUITA_ASSIGN_OR_RETURN(const Get get, ReadGet(arguments, &format));
  VAQUITA_ASSIGN_OR_RETURN(const client::Result result, table->Get(get));
  for (const Cell& cell : result.cells) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string column, ColumnText(cell, format));
    VAQUITA_ASSIGN_OR_RETURN(const std::string text, CellText(cell, format));
    context.formatter.Row({column, text});
  }
  context.formatter.Footer(result.empty() ? 0 : 1);
  return Value();
}

absl::Status PrintResult(Context& context, const client::Result& result, const CellFormat& format) {
  for (const Cell& cell : result.cells) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string row, ConvertBytes(cell.row, format.method));
    VAQUITA_ASSIGN_OR_RETURN(const std::string column, ColumnText(cell, format));
    VAQUITA_ASSIGN_OR_RETURN(const std::string text, CellText(cell, format));
    context.formatter.Row({row, absl::StrCat("column=", column, ", ", text)});
  }
  return absl::OkStatus();
}

absl::StatusOr<Value> ScanTable(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const auto table, OpenTable(context, arguments[0]));
  context.formatter.Header({"ROW", "COLUMN+CELL"});
  VAQUITA_ASSIGN_OR_RETURN(Hash options, OptionsArgument(arguments, 1, "Args should be a Hash"));
  CellFormat format;
  format.is_meta = table->name() == kMetaTableName;
  VAQUITA_ASSIGN_OR_RETURN(const Scan scan, ReadScan(std::move(options), &format));
  VAQUITA_ASSIGN_OR_RETURN(const auto scanner, table->GetScanner(scan));
  int64_t results = 0;
  while (true) {
    VAQUITA_ASSIGN_OR_RETURN(const auto result, scanner->Next());
    if (!result) break;
    VAQUITA_RETURN_IF_ERROR(CheckNotCancelled(context, results));
    VAQUITA_RETURN_IF_ERROR(PrintResult(context, *result, format));
    ++results;
  }
  context.formatter.Footer(results);
  return Value();
}

// CACHE_BLOCKS may be text here.
absl::Status ReadCacheBlocks(Hash& options) {
  const Value* given = Find(options, "CACHE_BLOCKS");
  const std::string* text = given == nullptr ? nullptr : given->AsString();
  if (text == nullptr) return absl::OkStatus();
  const std::string flag = absl::AsciiStrToLower(*text);
  if (flag != "true" && flag != "false") {
    return ShellError("Expected CACHE_BLOCKS value to be a boolean or the string 'true' or 'false'");
  }
  options.Set("CACHE_BLOCKS", Value(flag == "true"));
  return absl::OkStatus();
}

// The scan that finds each row's first cell only.
absl::StatusOr<Scan> ReadCountScan(Hash options) {
  VAQUITA_RETURN_IF_ERROR(ReadCacheBlocks(options));
  if (Find(options, "CACHE_BLOCKS") == nullptr) options.Set("CACHE_BLOCKS", Value(false));
  CellFormat format;
  VAQUITA_ASSIGN_OR_RETURN(Scan scan, ReadScan(std::move(options), &format));
  FilterSpec first_key{FirstKeyOnlyFilterSpec{}};
  if (scan.filter) {
    FilterListSpec both;
    both.filters = {*std::move(scan.filter), std::move(first_key)};
    scan.filter = FilterSpec{std::move(both)};
  } else {
    scan.filter = std::move(first_key);
  }
  return scan;
}

absl::StatusOr<Value> Count(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const auto table, OpenTable(context, arguments[0]));
  Hash options;
  if (arguments.size() > 1) {
    if (const Hash* given = arguments[1].AsHash()) options = *given;
    if (arguments[1].AsInteger() != nullptr) options.Set("INTERVAL", arguments[1]);
  }
  VAQUITA_ASSIGN_OR_RETURN(const int64_t interval, IntegerOption(options, "INTERVAL", 1000));
  if (interval <= 0) return ShellError(absl::StrCat("INTERVAL must be positive, not ", interval));
  VAQUITA_ASSIGN_OR_RETURN(const Scan scan, ReadCountScan(std::move(options)));
  VAQUITA_ASSIGN_OR_RETURN(const auto scanner, table->GetScanner(scan));
  int64_t rows = 0;
  while (true) {
    VAQUITA_ASSIGN_OR_RETURN(const auto result, scanner->Next());
    if (!result) break;
    VAQUITA_RETURN_IF_ERROR(CheckNotCancelled(context, rows));
    if (++rows % interval != 0 || result->empty()) continue;
    context.formatter.Row({absl::StrCat("Current count: ", rows, ", row: ", ToStringBinary(result->cells[0].row))});
  }
  context.formatter.Footer(rows);
  return Value(rows);
}

absl::StatusOr<Value> Delete(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const auto table, OpenTable(context, arguments[0]));
  VAQUITA_ASSIGN_OR_RETURN(const Mutation deletion, ReadDelete(arguments, /*all_versions=*/false));
  return NilOr(table->Mutate(deletion).status());
}

absl::Status SendBatch(client::Table& table, std::vector<Action>* actions) {
  for (const client::ActionResult& result : table.Batch(*actions)) VAQUITA_RETURN_IF_ERROR(result.status);
  actions->clear();
  return absl::OkStatus();
}

// Every row that starts with the hash's ROWPREFIXFILTER, CACHE rows at a time.
absl::Status DeletePrefix(client::Table& table, Arguments arguments) {
  const Hash options = *arguments[1].AsHash();
  const Value* prefix = Find(options, "ROWPREFIXFILTER");
  if (prefix == nullptr) return ShellError("deleteall takes a row, or a hash with ROWPREFIXFILTER");
  VAQUITA_ASSIGN_OR_RETURN(const int64_t batch_rows, IntegerOption(options, "CACHE", 100));
  Hash scan_options;
  scan_options.Set("ROWPREFIXFILTER", *prefix);
  VAQUITA_ASSIGN_OR_RETURN(const Scan scan, ReadCountScan(std::move(scan_options)));
  VAQUITA_ASSIGN_OR_RETURN(const auto scanner, table.GetScanner(scan));
  std::vector<Action> actions;
  while (true) {
    VAQUITA_ASSIGN_OR_RETURN(const auto result, scanner->Next());
    if (!result) break;
    if (result->empty()) continue;
    arguments[1] = Value(result->cells[0].row);
    VAQUITA_ASSIGN_OR_RETURN(Mutation deletion, ReadDelete(arguments, /*all_versions=*/true));
    actions.emplace_back(std::move(deletion));
    if (static_cast<int64_t>(actions.size()) >= batch_rows) VAQUITA_RETURN_IF_ERROR(SendBatch(table, &actions));
  }
  return SendBatch(table, &actions);
}

absl::StatusOr<Value> DeleteAll(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const auto table, OpenTable(context, arguments[0]));
  if (arguments[1].AsHash() != nullptr) {
    return NilOr(DeletePrefix(*table, arguments));
  }
  VAQUITA_ASSIGN_OR_RETURN(const Mutation deletion, ReadDelete(arguments, /*all_versions=*/true));
  return NilOr(table->Mutate(deletion).status());
}

absl::Status PrintCounter(Context& context, const client::Result& result) {
  if (result.empty()) {
    context.out << "No counter found at specified coordinates\n";
    return absl::OkStatus();
  }
  const std::string& bytes = result.cells[0].value;
  if (bytes.size() != 8) return ShellError(absl::StrCat("Wrong length: ", bytes.size(), ", expected 8"));
  VAQUITA_ASSIGN_OR_RETURN(const std::string value, ConvertBytes(bytes, "toLong"));
  context.out << "COUNTER VALUE = " << value << "\n";
  return absl::OkStatus();
}

absl::StatusOr<Value> Increment(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const auto table, OpenTable(context, arguments[0]));
  VAQUITA_ASSIGN_OR_RETURN(const Mutation increment, ReadIncrement(arguments));
  VAQUITA_ASSIGN_OR_RETURN(const client::Result result, table->Mutate(increment));
  return NilOr(PrintCounter(context, result));
}

absl::StatusOr<Value> GetCounter(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const auto table, OpenTable(context, arguments[0]));
  CellFormat format;
  VAQUITA_ASSIGN_OR_RETURN(const Get get, ReadGet(arguments, &format));
  VAQUITA_ASSIGN_OR_RETURN(const client::Result result, table->Get(get));
  return NilOr(PrintCounter(context, result));
}

absl::StatusOr<Value> Append(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const auto table, OpenTable(context, arguments[0]));
  VAQUITA_ASSIGN_OR_RETURN(const Mutation append, ReadAppend(arguments));
  VAQUITA_ASSIGN_OR_RETURN(const client::Result result, table->Mutate(append));
  if (!result.empty()) context.out << "CURRENT VALUE = " << ToStringBinary(result.cells[0].value) << "\n";
  return Value();
}

absl::Status TruncateTable(Context& context, const Value& name, bool preserve_splits) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableArgument(name));
  context.out << "Truncating '" << table.ToString() << "' table (it may take a while):\n";
  VAQUITA_ASSIGN_OR_RETURN(const TableState state, context.admin.GetTableState(table));
  if (state == TableState::kEnabled) {
    context.out << "Disabling table...\n";
    VAQUITA_RETURN_IF_ERROR(context.admin.DisableTable(table));
  }
  context.out << "Truncating table...\n";
  return context.admin.TruncateTable(table, preserve_splits);
}

absl::StatusOr<Value> Truncate(Context& context, Arguments& arguments) {
  return NilOr(TruncateTable(context, arguments[0], /*preserve_splits=*/false));
}

absl::StatusOr<Value> TruncatePreserve(Context& context, Arguments& arguments) {
  return NilOr(TruncateTable(context, arguments[0], /*preserve_splits=*/true));
}

absl::StatusOr<Value> GetSplits(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableArgument(arguments[0]));
  VAQUITA_ASSIGN_OR_RETURN(const auto regions, context.admin.GetRegions(table));
  Array splits;
  for (const client::RegionLocation& region : regions) {
    if (!region.info.start_key.empty()) splits.emplace_back(ToStringBinary(region.info.start_key));
  }
  context.out << "Total number of splits = " << splits.size() + 1 << "\n";
  for (const Value& split : splits) context.out << split.ToText() << "\n";
  return Value(std::move(splits));
}

constexpr Command kDmlCommands[] = {
    {"put", 4, 6, Put,
     R"help(Puts a value into a row's column, at a timestamp if you give one.

  hbase> put 't1', 'r1', 'f1:q', 'value'
  hbase> put 't1', 'r1', 'f1:q', 'value', 1617235200000
  hbase> put 't1', 'r1', 'f1:q', 'value', {TTL => 60000}
  hbase> put 't1', 'r1', 'f1:q', 'value', 1617235200000, {ATTRIBUTES => {'key' => 'value'}}
)help"},
    {"get", 2, Command::kAnyNumber, GetRow,
     R"help(Prints a row, or some of its columns.

  hbase> get 't1', 'r1'
  hbase> get 't1', 'r1', 'f1:q', 'f2'
  hbase> get 't1', 'r1', {COLUMN => ['f1:q', 'f2'], VERSIONS => 3}
  hbase> get 't1', 'r1', {TIMERANGE => [1617235200000, 1617321600000]}
  hbase> get 't1', 'r1', {COLUMN => 'f1', TIMESTAMP => 1617235200000, MAXLENGTH => 60}
  hbase> get 't1', 'r1', {FILTER => "ValueFilter(=, 'binary:abc')"}

A column may name how its values are printed: 'f1:q:toInt', 'f1:q:toLong', 'f1:q:toString', or
'f1:q:c(org.apache.hadoop.hbase.util.Bytes).toInt'. FORMATTER => 'toString' does so for everything.
)help"},
    {"scan", 1, 2, ScanTable,
     R"help(Prints the rows of a table, or those that the options choose:
STARTROW, STOPROW, ROWPREFIXFILTER, LIMIT, REVERSED, COLUMNS, VERSIONS, TIMERANGE, TIMESTAMP, FILTER, RAW,
BATCH, CACHE, CACHE_BLOCKS, MAXLENGTH, MAX_RESULT_SIZE, ALLOW_PARTIAL_RESULTS, FORMATTER.

  hbase> scan 't1'
  hbase> scan 't1', {COLUMNS => ['f1', 'f2:q'], LIMIT => 10, STARTROW => 'r1'}
  hbase> scan 't1', {ROWPREFIXFILTER => 'user42', FILTER => "QualifierFilter(>=, 'binary:xyz') AND PageFilter(5)"}
  hbase> scan 't1', {REVERSED => true, LIMIT => 3}
  hbase> scan 't1', {RAW => true, VERSIONS => 10}
  hbase> scan 't1', {COLUMNS => ['f1:number:toInt', 'f1:text']}

RAW prints delete markers and what they hide. show_filters lists the filters.
)help"},
    {"count", 1, 2, Count,
     R"help(Counts a table's rows, and says how far it is every INTERVAL rows (1000). The options of scan choose the rows.

  hbase> count 't1'
  hbase> count 't1', 100000
  hbase> count 't1', INTERVAL => 100000, CACHE => 1000
  hbase> count 't1', FILTER => "PrefixFilter('user42')"
)help"},
    {"delete", 3, 5, Delete,
     R"help(Deletes one version of a column: the one at the timestamp, or the newest.

  hbase> delete 't1', 'r1', 'f1:q'
  hbase> delete 't1', 'r1', 'f1:q', 1617235200000
)help"},
    {"deleteall", 2, 5, DeleteAll,
     R"help(Deletes every version of a column, of a family or of a row, at or before the timestamp if you give one;
or all rows that start with a prefix.

  hbase> deleteall 't1', 'r1'
  hbase> deleteall 't1', 'r1', 'f1'
  hbase> deleteall 't1', 'r1', 'f1:q', 1617235200000
  hbase> deleteall 't1', 'r1', '', 1617235200000
  hbase> deleteall 't1', {ROWPREFIXFILTER => 'user42', CACHE => 100}
)help"},
    {"incr", 3, 5, Increment,
     "Adds to a counter, 1 unless you say how much, and prints its new value.\n\n  hbase> incr 't1', 'r1', 'f1:hits'\n "
     " hbase> incr 't1', 'r1', 'f1:hits', 10\n"},
    {"get_counter", 3, 3, GetCounter, "Prints a counter's value.\n\n  hbase> get_counter 't1', 'r1', 'f1:hits'\n"},
    {"append", 4, 5, Append,
     "Appends to a column's value, and prints the new value.\n\n  hbase> append 't1', 'r1', 'f1:log', 'more'\n"},
    {"truncate", 1, 1, Truncate,
     "Empties a table: it is disabled, dropped and created again, with one region.\n\n  hbase> truncate 't1'\n"},
    {"truncate_preserve", 1, 1, TruncatePreserve,
     "Empties a table and keeps its regions' boundaries.\n\n  hbase> truncate_preserve 't1'\n"},
    {"get_splits", 1, 1, GetSplits, "Prints where a table's regions begin.\n\n  hbase> get_splits 't1'\n"},
};

}  // namespace

std::span<const Command> DmlCommands() { return kDmlCommands; }

}  // namespace vaquita::shell

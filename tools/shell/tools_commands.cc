// Commands over regions. Source: hbase-shell's commands of the group tools (2.6).
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/clock.h"
#include "base/status.h"
#include "model/region_info.h"
#include "tools/shell/cell_text.h"
#include "tools/shell/command.h"

namespace vaquita::shell {
namespace {

// A region by its encoded or full name. HBase's shell tries any name as a region's first; a table's cannot look like
// one.
bool IsRegionName(const std::string& name) {
  const bool hex = name.size() == 32 && name.find_first_not_of("0123456789abcdef") == std::string::npos;
  return hex || name.find(',') != std::string::npos;
}

absl::StatusOr<Value> Flush(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string name, NameArgument(arguments[0], "Table"));
  if (IsRegionName(name)) {
    return NilOr(context.admin.FlushRegion(name));
  }
  // A flush writes all of a region's families out together, as HBase's does by default.
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableName::Parse(name));
  return NilOr(context.admin.Flush(table));
}

absl::Status CompactAny(Context& context, const Arguments& arguments, bool major) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string name, NameArgument(arguments[0], "Table"));
  const std::string type = arguments.size() > 2 ? arguments[2].ToText() : "NORMAL";
  if (type == "MOB") return ShellError("MOB: there are no MOB files here");
  if (type != "NORMAL") return ShellError("only NORMAL or MOB accepted for type!");
  const std::string family = TextArgument(arguments, 1);
  if (IsRegionName(name)) return context.admin.CompactRegion(name, family, major);
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableName::Parse(name));
  return context.admin.CompactAsync(table, family, major);
}

absl::StatusOr<Value> Compact(Context& context, Arguments& arguments) {
  return NilOr(CompactAny(context, arguments, /*major=*/false));
}

absl::StatusOr<Value> MajorCompact(Context& context, Arguments& arguments) {
  return NilOr(CompactAny(context, arguments, /*major=*/true));
}

absl::StatusOr<Value> CompactionState(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableArgument(arguments[0]));
  VAQUITA_ASSIGN_OR_RETURN(const bool compacting, context.admin.IsCompacting(table));
  const char* state = compacting ? "MAJOR_AND_MINOR" : "NONE";
  context.formatter.Row({state});
  return Value(state);
}

absl::StatusOr<Value> Split(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string name, NameArgument(arguments[0], "Table"));
  const std::string row = TextArgument(arguments, 1);
  if (IsRegionName(name)) {
    VAQUITA_RETURN_IF_ERROR(context.admin.SplitRegion(name, row));
  } else {
    VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableName::Parse(name));
    VAQUITA_RETURN_IF_ERROR(context.admin.SplitTable(table, row));
  }
  return Value();
}

absl::StatusOr<Value> MergeRegion(Context& context, Arguments& arguments) {
  Arguments flat = Flatten(arguments, 0);
  if (flat.size() < 2) return ShellError("Must pass at least 2 regions to merge");
  bool force = false;
  if (const bool* last = flat.back().AsBool(); last != nullptr && flat.size() > 2) {
    force = *last;
    flat.pop_back();
  }
  std::vector<std::string> regions;
  for (const Value& region : flat) {
    if (region.AsString() == nullptr) {
      return ShellError(
          absl::StrCat("Type of ", region.Inspect(), " is ", AbslText(region.ClassName()), ", but expected String"));
    }
    regions.push_back(*region.AsString());
  }
  return NilOr(context.admin.MergeRegions(regions, force));
}

absl::StatusOr<Value> Move(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string region, NameArgument(arguments[0], "Region"));
  return NilOr(context.admin.MoveRegion(region, TextArgument(arguments, 1)));
}

// HBase's shell ignores a second argument, "force", of a time when closing could fail.
absl::StatusOr<Value> Assign(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string region, NameArgument(arguments[0], "Region"));
  return NilOr(context.admin.AssignRegion(region));
}

absl::StatusOr<Value> Unassign(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string region, NameArgument(arguments[0], "Region"));
  return NilOr(context.admin.UnassignRegion(region));
}

absl::StatusOr<Value> TruncateRegion(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string region, NameArgument(arguments[0], "Region"));
  return NilOr(context.admin.TruncateRegion(region));
}

// Returns the tables in which a region of that name can be: the one that a full name begins with, or all.
absl::StatusOr<std::vector<TableName>> TablesOfRegion(Context& context, const std::string& region) {
  const size_t comma = region.find(',');
  if (comma == std::string::npos) return context.admin.ListTableNames("", /*system=*/true);
  VAQUITA_ASSIGN_OR_RETURN(TableName table, TableName::Parse(region.substr(0, comma)));
  return std::vector<TableName>{std::move(table)};
}

absl::StatusOr<Value> RegionInfoCommand(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string name, NameArgument(arguments[0], "Region"));
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<TableName> tables, TablesOfRegion(context, name));
  const std::string bytes = FromStringBinary(name);
  for (const TableName& table : tables) {
    const auto regions = context.admin.GetRegions(table);
    if (IsError(regions.status(), ErrorKind::kTableNotFound)) continue;  // or dropped meanwhile
    VAQUITA_RETURN_IF_ERROR(regions.status());
    for (const client::RegionLocation& region : *regions) {
      if (region.info.EncodedName() != name && region.info.Name() != bytes) continue;
      context.out << RegionText(region.info) << "\n";
      return Value();
    }
  }
  return Error(ErrorKind::kUnknownRegion, name);
}

// Returns the text of RegionState.toDescriptiveString. HBase's own clients do not know the server.
std::string TransitionText(const RegionInTransition& region, int64_t now_ms) {
  return absl::StrCat(ToStringBinary(region.info.Name()), " state=", AbslText(RegionStateName(region.state)),
                      ", ts=", TimeText(region.since_ms), " (", (now_ms - region.since_ms) / 1000,
                      "s ago), server=", region.server_name.empty() ? "null" : region.server_name);
}

absl::StatusOr<Value> Rit(Context& context, Arguments&) {
  VAQUITA_ASSIGN_OR_RETURN(const auto regions, context.admin.ListRegionsInTransition());
  const int64_t now_ms = Clock::System()->NowMs();
  for (const RegionInTransition& region : regions) context.formatter.Row({TransitionText(region, now_ms)});
  context.formatter.Footer(static_cast<int64_t>(regions.size()));
  return Value();
}

// HBase's command starts a span in the shell alone, which goes nowhere unless an exporter is configured.
absl::StatusOr<Value> Trace(Context&, Arguments& arguments) {
  if (TextArgument(arguments, 0) == "start") return ShellError("calls are not traced (docs/compatibility.md)");
  return Value(false);
}

absl::StatusOr<Value> CloseRegion(Context& context, Arguments&) {
  context.out << "DEPRECATED!!! Use 'unassign' command instead.\n";
  return Value();
}

constexpr Command kToolsCommands[] = {
    {"flush", 1, 2, Flush,
     "Writes the memstores of a table or a region to store files.\n\n  hbase> flush 't1'\n  hbase> flush "
     "'ENCODED_REGION_NAME'\n"},
    {"compact", 1, 3, Compact,
     "Asks for a minor compaction of a table or a region, of all families or of one.\n\n  hbase> compact 't1'\n  "
     "hbase> compact 't1', 'f1'\n  hbase> compact 'ENCODED_REGION_NAME'\n"},
    {"major_compact", 1, 3, MajorCompact,
     "Asks for a major compaction of a table or a region, of all families or of one. It makes one file of each "
     "store\nand drops what is deleted, expired or superseded.\n\n  hbase> major_compact 't1'\n  hbase> major_compact "
     "'t1', 'f1'\n  hbase> major_compact 'ENCODED_REGION_NAME'\n"},
    {"compaction_state", 1, 1, CompactionState,
     "Tells whether a table is compacting.\n\n  hbase> compaction_state 't1'\n"},
    {"split", 1, 2, Split,
     "Splits a table's regions or one region, each in the middle of its data or at a row.\n\n  hbase> split 't1'\n  "
     "hbase> split 't1', 'row'\n  hbase> split 'ENCODED_REGION_NAME', 'row'\n"},
    {"merge_region", 1, Command::kAnyNumber, MergeRegion,
     "Merges neighbouring regions; with true at the end, also regions that are not neighbours.\n\n  hbase> "
     "merge_region "
     "'ENCODED_REGION_NAME', 'ENCODED_REGION_NAME'\n  hbase> merge_region ['ENCODED_REGION_NAME', "
     "'ENCODED_REGION_NAME'], true\n"},
    {"move", 1, 2, Move,
     "Moves a region to a server, or to one that the master chooses.\n\n  hbase> move 'ENCODED_REGION_NAME'\n  hbase> "
     "move 'ENCODED_REGION_NAME', 'HOST,PORT,STARTCODE'\n"},
    {"assign", 1, 2, Assign,
     "Opens a region that is closed, on a server that the master chooses.\n\n  hbase> assign 'ENCODED_REGION_NAME'\n"},
    {"unassign", 1, 2, Unassign,
     "Closes a region. It stays closed until it is assigned, or its table is enabled again.\n\n  hbase> unassign "
     "'ENCODED_REGION_NAME'\n"},
    {"truncate_region", 1, 1, TruncateRegion,
     "Removes all rows of a region.\n\n  hbase> truncate_region 'ENCODED_REGION_NAME'\n"},
    {"regioninfo", 1, 1, RegionInfoCommand,
     "Prints a region's name, encoded name and range of rows.\n\n  hbase> regioninfo 'ENCODED_REGION_NAME'\n  hbase> "
     "regioninfo 'hbase:meta,,1'\n"},
    {"rit", 0, 0, Rit,
     "Lists the regions in transition: those that open, close, move, split or merge.\n\n  hbase> rit\n"},
    {"close_region", 1, 2, CloseRegion, "Says that unassign closes a region.\n\n  hbase> close_region 'REGION_NAME'\n"},
    {"trace", 0, 2, Trace, "Tells whether calls are traced, which they are not.\n\n  hbase> trace 'status'\n"},
};

}  // namespace

std::span<const Command> ToolsCommands() { return kToolsCommands; }

}  // namespace vaquita::shell

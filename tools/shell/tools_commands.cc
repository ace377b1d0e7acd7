// Commands over regions and the cluster's switches. Source: hbase-shell's commands of the group tools (2.6).
#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"
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
    VAQUITA_RETURN_IF_ERROR(context.admin.FlushRegion(name));
    return Value();
  }
  // A flush writes all of a region's families out together, as HBase's does by default.
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableName::Parse(name));
  VAQUITA_RETURN_IF_ERROR(context.admin.Flush(table));
  return Value();
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
  VAQUITA_RETURN_IF_ERROR(CompactAny(context, arguments, /*major=*/false));
  return Value();
}

absl::StatusOr<Value> MajorCompact(Context& context, Arguments& arguments) {
  VAQUITA_RETURN_IF_ERROR(CompactAny(context, arguments, /*major=*/true));
  return Value();
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
  VAQUITA_RETURN_IF_ERROR(context.admin.MergeRegions(regions, force));
  return Value();
}

absl::StatusOr<Value> Move(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string region, NameArgument(arguments[0], "Region"));
  VAQUITA_RETURN_IF_ERROR(context.admin.MoveRegion(region, TextArgument(arguments, 1)));
  return Value();
}

// true, false, and the texts that Boolean.valueOf reads.
bool SwitchArgument(const Value& value) { return value == Value(true) || value.ToText() == "true"; }

Value PrintFlag(Context& context, bool flag) {
  context.formatter.Row({flag ? "true" : "false"});
  return Value(flag);
}

absl::StatusOr<Value> BalanceSwitch(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const bool was_on, context.admin.SetBalancer(SwitchArgument(arguments[0])));
  context.formatter.Row({absl::StrCat("Previous balancer state : ", was_on ? "true" : "false")});
  return Value(was_on);
}

absl::StatusOr<Value> BalancerEnabled(Context& context, Arguments&) {
  VAQUITA_ASSIGN_OR_RETURN(const bool on, context.admin.IsBalancerOn());
  return PrintFlag(context, on);
}

absl::StatusOr<BalanceRequest> BalanceRequestOf(const Arguments& arguments) {
  BalanceRequest request;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string option = arguments[i].ToText();
    if (option == "force" || option == "ignore_rit") {
      request.ignore_regions_in_transition = true;
    } else if (option == "dry_run") {
      request.dry_run = true;
    } else {
      return ShellError(absl::StrCat("Illegal argument in index ", i, ": ", option, ". Unknown option ", option,
                                     ", expected 'force', 'ignore_rit', or 'dry_run'."));
    }
  }
  return request;
}

// HBase's shell leaves the plan of a dry run to the master's log; here it follows.
absl::StatusOr<Value> Balancer(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const BalanceRequest request, BalanceRequestOf(Flatten(arguments, 0)));
  VAQUITA_ASSIGN_OR_RETURN(const BalanceAnswer answer, context.admin.Balance(request));
  if (answer.ran) {
    context.formatter.Row({"Balancer ran"});
    context.formatter.Row(
        {absl::StrCat("Moves calculated: ", answer.moves_calculated, ", moves executed: ", answer.moves_executed)});
    if (request.dry_run) context.out << answer.text;
  } else {
    context.formatter.Row({"Balancer did not run. See logs for details."});
  }
  return Value(answer.ran);
}

absl::StatusOr<bool> IsSplitSwitch(const Value& type) {
  if (type == Value("SPLIT")) return true;
  if (type == Value("MERGE")) return false;
  return ShellError("only SPLIT or MERGE accepted for type!");
}

absl::StatusOr<Value> SplitOrMergeSwitch(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const bool split, IsSplitSwitch(arguments[0]));
  VAQUITA_ASSIGN_OR_RETURN(const bool was_on, context.admin.SetSplitOrMerge(split, SwitchArgument(arguments[1])));
  return PrintFlag(context, was_on);
}

absl::StatusOr<Value> SplitOrMergeEnabled(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const bool split, IsSplitSwitch(arguments[0]));
  VAQUITA_ASSIGN_OR_RETURN(const bool on, context.admin.IsSplitOrMergeOn(split));
  return PrintFlag(context, on);
}

// Adds the tables that one argument of normalize selects.
absl::Status SelectTables(Context& context, const Value& argument, std::vector<TableName>* tables) {
  const Hash* filter = argument.AsHash();
  if (filter == nullptr) return ShellError(absl::StrCat("Unrecognized argument ", argument.ToText()));
  if (const Value* name = Find(*filter, "TABLE_NAME")) {
    VAQUITA_ASSIGN_OR_RETURN(tables->emplace_back(), TableArgument(*name));
    return absl::OkStatus();
  }
  if (const Value* names = Find(*filter, "TABLE_NAMES")) {
    for (const Value& name : Flatten({*names}, 0)) {
      VAQUITA_ASSIGN_OR_RETURN(tables->emplace_back(), TableArgument(name));
    }
    return absl::OkStatus();
  }
  const Value* regex = Find(*filter, "REGEX");
  const Value* ns = Find(*filter, "NAMESPACE");
  if (regex == nullptr && ns == nullptr) {
    return ShellError(absl::StrCat("Unrecognized argument ", argument.ToText()));
  }
  VAQUITA_ASSIGN_OR_RETURN(std::vector<TableName> found,
                           context.admin.ListTableNames(regex == nullptr ? "" : regex->ToText()));
  for (TableName& table : found) {
    if (ns == nullptr || table.ns == ns->ToText()) tables->push_back(std::move(table));
  }
  return absl::OkStatus();
}

absl::StatusOr<Value> Normalize(Context& context, Arguments& arguments) {
  std::vector<TableName> tables;
  for (const Value& argument : arguments) VAQUITA_RETURN_IF_ERROR(SelectTables(context, argument, &tables));
  const bool nothing_selected = !arguments.empty() && tables.empty();
  VAQUITA_ASSIGN_OR_RETURN(const bool ran,
                           nothing_selected ? context.admin.IsNormalizerOn() : context.admin.Normalize(tables));
  return PrintFlag(context, ran);
}

absl::StatusOr<Value> NormalizerSwitch(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const bool was_on, context.admin.SetNormalizer(SwitchArgument(arguments[0])));
  return PrintFlag(context, was_on);
}

absl::StatusOr<Value> NormalizerEnabled(Context& context, Arguments&) {
  VAQUITA_ASSIGN_OR_RETURN(const bool on, context.admin.IsNormalizerOn());
  return PrintFlag(context, on);
}

absl::Status PrintServers(Context& context, const std::vector<std::string>& servers) {
  context.formatter.Header({"SERVERNAME"});
  for (const std::string& server : servers) context.formatter.Row({server});
  context.formatter.Footer();
  return absl::OkStatus();
}

absl::StatusOr<Value> ListLiveServers(Context& context, Arguments&) {
  VAQUITA_ASSIGN_OR_RETURN(const ClusterStatus status, context.admin.GetClusterStatus());
  std::vector<std::string> names;
  for (const ServerMetrics& server : status.servers) names.push_back(server.server_name);
  VAQUITA_RETURN_IF_ERROR(PrintServers(context, names));
  return Value();
}

absl::StatusOr<Value> ListDeadServers(Context& context, Arguments&) {
  VAQUITA_ASSIGN_OR_RETURN(const ClusterStatus status, context.admin.GetClusterStatus());
  VAQUITA_RETURN_IF_ERROR(PrintServers(context, status.dead_servers));
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
    {"balance_switch", 1, 1, BalanceSwitch,
     "Turns the balancer on or off, and prints what it was.\n\n  hbase> balance_switch true\n"},
    {"balancer", 0, 2, Balancer,
     "Runs the balancer. 'dry_run' prints the moves that it would make, each with its reason, and makes none;\n"
     "'ignore_rit' lets it run while regions are in transition.\n\n  hbase> balancer\n  hbase> balancer 'dry_run'\n  "
     "hbase> balancer 'dry_run', 'ignore_rit'\n"},
    {"balancer_enabled", 0, 0, BalancerEnabled, "Tells whether the balancer is on.\n\n  hbase> balancer_enabled\n"},
    {"splitormerge_switch", 2, 2, SplitOrMergeSwitch,
     "Turns splits or merges on or off, and prints what it was.\n\n  hbase> splitormerge_switch 'SPLIT', false\n"},
    {"splitormerge_enabled", 1, 1, SplitOrMergeEnabled,
     "Tells whether splits or merges are on.\n\n  hbase> splitormerge_enabled 'MERGE'\n"},
    {"normalize", 0, Command::kAnyNumber, Normalize,
     "Splits large regions and merges small ones, of all tables with NORMALIZATION_ENABLED or of some. It does not "
     "wait\nfor the splits and merges. Tells whether it ran.\n\n  hbase> normalize\n  hbase> normalize TABLE_NAME => "
     "'t1'\n  hbase> normalize TABLE_NAMES => ['t1', 't2']\n  hbase> normalize REGEX => 't.*'\n  hbase> normalize "
     "NAMESPACE => 'ns1'\n"},
    {"normalizer_switch", 1, 1, NormalizerSwitch,
     "Turns the normalizer on or off, and prints what it was.\n\n  hbase> normalizer_switch true\n"},
    {"normalizer_enabled", 0, 0, NormalizerEnabled,
     "Tells whether the normalizer is on.\n\n  hbase> normalizer_enabled\n"},
    {"list_liveservers", 0, 0, ListLiveServers, "Lists the live region servers.\n\n  hbase> list_liveservers\n"},
    {"list_deadservers", 0, 0, ListDeadServers, "Lists the dead region servers.\n\n  hbase> list_deadservers\n"},
};

}  // namespace

std::span<const Command> ToolsCommands() { return kToolsCommands; }

}  // namespace vaquita::shell

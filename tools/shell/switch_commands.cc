// Commands over the master's own work: the balancer, the normalizer, its chores, and their switches. Source:
// hbase-shell's commands of the group tools (2.6).
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "tools/shell/command.h"

namespace vaquita::shell {
namespace {

absl::StatusOr<Value> BalanceSwitch(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const bool was_on,
                           context.admin.SetSwitch(MasterSwitch::kBalancer, SwitchArgument(arguments[0])));
  return PrintFlag(context, was_on, "Previous balancer state : ");
}

// Prints what a switch is.
template <MasterSwitch which>
absl::StatusOr<Value> IsOn(Context& context, Arguments&) {
  VAQUITA_ASSIGN_OR_RETURN(const bool on, context.admin.IsOn(which));
  return PrintFlag(context, on);
}

// Sets a switch, and prints what it was.
template <MasterSwitch which>
absl::StatusOr<Value> Switch(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const bool was_on, context.admin.SetSwitch(which, SwitchArgument(arguments[0])));
  return PrintFlag(context, was_on);
}

absl::StatusOr<Value> SnapshotCleanupSwitch(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const bool was_on,
                           context.admin.SetSwitch(MasterSwitch::kSnapshotCleanup, SwitchArgument(arguments[0])));
  const char* state = was_on ? "true" : "false";
  context.formatter.Row({absl::StrCat("Previous snapshot cleanup state : ", state)});
  return Value(state);
}

absl::StatusOr<Value> CatalogJanitorRun(Context& context, Arguments&) {
  VAQUITA_ASSIGN_OR_RETURN(const int64_t removed, context.admin.RunCatalogJanitor());
  return Value(removed);
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

absl::StatusOr<MasterSwitch> SplitOrMerge(const Value& type) {
  if (type == Value("SPLIT")) return MasterSwitch::kSplit;
  if (type == Value("MERGE")) return MasterSwitch::kMerge;
  return ShellError("only SPLIT or MERGE accepted for type!");
}

absl::StatusOr<Value> SplitOrMergeSwitch(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const MasterSwitch which, SplitOrMerge(arguments[0]));
  VAQUITA_ASSIGN_OR_RETURN(const bool was_on, context.admin.SetSwitch(which, SwitchArgument(arguments[1])));
  return PrintFlag(context, was_on);
}

absl::StatusOr<Value> SplitOrMergeEnabled(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const MasterSwitch which, SplitOrMerge(arguments[0]));
  VAQUITA_ASSIGN_OR_RETURN(const bool on, context.admin.IsOn(which));
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
  VAQUITA_ASSIGN_OR_RETURN(const bool ran, nothing_selected ? context.admin.IsOn(MasterSwitch::kNormalizer)
                                                            : context.admin.Normalize(tables));
  return PrintFlag(context, ran);
}

constexpr Command kSwitchCommands[] = {
    {"balance_switch", 1, 1, BalanceSwitch,
     "Turns the balancer on or off, and prints what it was.\n\n  hbase> balance_switch true\n"},
    {"balancer", 0, 2, Balancer,
     "Runs the balancer. 'dry_run' prints the moves that it would make, each with its reason, and makes none;\n"
     "'ignore_rit' lets it run while regions are in transition.\n\n  hbase> balancer\n  hbase> balancer 'dry_run'\n  "
     "hbase> balancer 'dry_run', 'ignore_rit'\n"},
    {"balancer_enabled", 0, 0, IsOn<MasterSwitch::kBalancer>,
     "Tells whether the balancer is on.\n\n  hbase> balancer_enabled\n"},
    {"splitormerge_switch", 2, 2, SplitOrMergeSwitch,
     "Turns splits or merges on or off, and prints what it was.\n\n  hbase> splitormerge_switch 'SPLIT', false\n"},
    {"splitormerge_enabled", 1, 1, SplitOrMergeEnabled,
     "Tells whether splits or merges are on.\n\n  hbase> splitormerge_enabled 'MERGE'\n"},
    {"normalize", 0, Command::kAnyNumber, Normalize,
     "Splits large regions and merges small ones, of all tables with NORMALIZATION_ENABLED or of some. It does not "
     "wait\nfor the splits and merges. Tells whether it ran.\n\n  hbase> normalize\n  hbase> normalize TABLE_NAME => "
     "'t1'\n  hbase> normalize TABLE_NAMES => ['t1', 't2']\n  hbase> normalize REGEX => 't.*'\n  hbase> normalize "
     "NAMESPACE => 'ns1'\n"},
    {"normalizer_switch", 1, 1, Switch<MasterSwitch::kNormalizer>,
     "Turns the normalizer on or off, and prints what it was.\n\n  hbase> normalizer_switch true\n"},
    {"normalizer_enabled", 0, 0, IsOn<MasterSwitch::kNormalizer>,
     "Tells whether the normalizer is on.\n\n  hbase> normalizer_enabled\n"},
    {"catalogjanitor_run", 0, 0, CatalogJanitorRun,
     "Removes rows of hbase:meta that splits and merges left, and tells how many.\n\n  hbase> catalogjanitor_run\n"},
    {"catalogjanitor_switch", 1, 1, Switch<MasterSwitch::kCatalogJanitor>,
     "Turns the catalog janitor on or off, and prints what it was.\n\n  hbase> catalogjanitor_switch true\n"},
    {"catalogjanitor_enabled", 0, 0, IsOn<MasterSwitch::kCatalogJanitor>,
     "Tells whether the catalog janitor is on.\n\n  hbase> catalogjanitor_enabled\n"},
    {"cleaner_chore_switch", 1, 1, Switch<MasterSwitch::kCleaner>,
     "Turns the switch of the cleaner chore on or off, and prints what it was. It changes nothing here.\n\n  hbase> "
     "cleaner_chore_switch true\n"},
    {"cleaner_chore_enabled", 0, 0, IsOn<MasterSwitch::kCleaner>,
     "Tells whether the cleaner chore is on.\n\n  hbase> cleaner_chore_enabled\n"},
    {"snapshot_cleanup_switch", 1, 1, SnapshotCleanupSwitch,
     "Turns the removal of snapshots whose TTL is over on or off, and prints what it was.\n\n  hbase> "
     "snapshot_cleanup_switch true\n"},
    {"snapshot_cleanup_enabled", 0, 0, IsOn<MasterSwitch::kSnapshotCleanup>,
     "Tells whether snapshots whose TTL is over are removed.\n\n  hbase> snapshot_cleanup_enabled\n"},
};

}  // namespace

std::span<const Command> SwitchCommands() { return kSwitchCommands; }

}  // namespace vaquita::shell

// Commands over the chores of servers and the master. Source: hbase-shell's commands of the groups tools and
// storefiletracker, and ZKDump (2.6).
#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "model/store_file_tracker.h"
#include "tools/shell/command.h"
#include "tools/shell/server_names.h"

namespace vaquita::shell {
namespace {

// --- The master's chores

absl::StatusOr<Value> CleanerChoreRun(Context& context, Arguments&) {
  // Nothing waits for a cleaner: files go as soon as nothing needs them. HBase answers so once it has run.
  VAQUITA_RETURN_IF_ERROR(context.admin.IsOn(MasterSwitch::kCleaner).status());
  return Value(true);
}

// HBase leaves the findings to the master's page; here they are printed.
absl::StatusOr<Value> HbckChoreRun(Context& context, Arguments&) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<std::string> findings, context.admin.CheckConsistency());
  for (const std::string& finding : findings) context.out << finding << "\n";
  return Value(true);
}

absl::StatusOr<Value> FlushMasterStore(Context& context, Arguments&) { return NilOr(context.admin.FlushMasterStore()); }

// --- A server's chores

absl::StatusOr<Value> WalRoll(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<std::string> servers, ChosenServers(context, {arguments[0]}, 0));
  for (const std::string& server : servers) VAQUITA_RETURN_IF_ERROR(context.admin.RollLog(server));
  return Value();
}

absl::StatusOr<Value> ClearBlockCache(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableArgument(arguments[0]));
  VAQUITA_ASSIGN_OR_RETURN(const CacheEviction evicted, context.admin.ClearBlockCache(table));
  context.formatter.Row({absl::StrCat("CacheEvictionStats{evictedBlocks=", evicted.evicted_blocks, ", maxCacheSize=",
                                      evicted.capacity_bytes, ", failedRegionsSize=0, failedRegions=[]}")});
  return Value();
}

// A store that waits for its compaction is due, and waits again at once, so there is nothing to drop.
absl::StatusOr<Value> ClearCompactionQueues(Context& context, Arguments& arguments) {
  const Value queues = arguments.size() > 1 ? arguments[1] : Value();
  if (!queues.IsNil() && queues.AsString() == nullptr && queues.AsArray() == nullptr) {
    return ShellError(absl::StrCat("Unknown queue name ", queues.ToText()));
  }
  for (const Value& queue : Flatten({queues}, 0)) {
    const std::string name = queue.ToText();
    if (name != "long" && name != "short") return ShellError(absl::StrCat("Unknown queue name ", name));
  }
  return NilOr(ChosenServers(context, {arguments[0]}, 0).status());
}

// --- What is asked of ZooKeeper. Here the servers answer for it, so it is what they know.

absl::StatusOr<Value> ZkDump(Context& context, Arguments&) {
  VAQUITA_ASSIGN_OR_RETURN(const ClusterStatus status, context.admin.GetClusterStatus());
  VAQUITA_ASSIGN_OR_RETURN(const auto meta, context.admin.GetRegions(kMetaTableName));
  std::ostream& out = context.out;
  out << "HBase is rooted at /hbase\nActive master address: \n " << status.master << "\nBackup master addresses:\n";
  for (const std::string& master : status.backup_masters) out << " " << master << "\n";
  out << "Region server holding hbase:meta:\n " << (meta.empty() ? "null" : meta[0].server_name) << "\n";
  out << "Region servers:\n";
  for (const std::string& server : LiveServers(status)) out << " " << server << "\n";
  return Value();
}

// --- Store file trackers: kept with the table or the family.

absl::Status ChangeTracker(Context& context, const TableName& table, const std::string& family,
                           const std::string& tracker) {
  VAQUITA_RETURN_IF_ERROR(CheckNewStoreFileTracker(tracker));
  VAQUITA_ASSIGN_OR_RETURN(TableDescriptor descriptor, context.admin.GetDescriptor(table));
  if (family.empty()) {
    descriptor.attributes[kStoreFileTracker] = tracker;
  } else {
    const auto found = descriptor.families.find(family);
    if (found == descriptor.families.end()) {
      return Error(ErrorKind::kNoSuchColumnFamily,
                   absl::StrCat(family, " does not exist for table ", table.ToString()));
    }
    found->second.configuration[kStoreFileTracker] = tracker;
  }
  return context.admin.ModifyTable(descriptor);
}

absl::StatusOr<Value> ChangeSft(Context& context, Arguments& arguments) {
  if (arguments.size() != 2 && arguments.size() != 3) return ShellError("Argument length should be two or three.");
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableArgument(arguments[0]));
  const std::string family = arguments.size() == 3 ? arguments[1].ToText() : "";
  return NilOr(ChangeTracker(context, table, family, arguments.back().ToText()));
}

absl::StatusOr<Value> ChangeSftAll(Context& context, Arguments& arguments) {
  if (arguments.size() != 2) return ShellError("Argument length should be two.");
  const std::string regex = arguments[0].ToText();
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<TableName> tables, context.admin.ListTableNames(regex));
  for (const TableName& table : tables) context.formatter.Row({table.ToString()});
  if (tables.empty()) {
    context.out << "No tables matched the regex " << regex << "\n";
    return Value();
  }
  if (!Confirmed(context, absl::StrCat("Change the above ", tables.size(), " tables's sft (y/n)?"))) return Value();
  for (const TableName& table : tables) {
    VAQUITA_RETURN_IF_ERROR(ChangeTracker(context, table, "", arguments[1].ToText()));
  }
  return Value();
}

constexpr Command kChoreCommands[] = {
    {"cleaner_chore_run", 0, 0, CleanerChoreRun,
     "Asks for the removal of files that nothing needs. Vaquita removes them at once, so nothing is left to do.\n\n  "
     "hbase> cleaner_chore_run\n"},
    {"hbck_chore_run", 0, 0, HbckChoreRun,
     "Compares hbase:meta with the servers' regions, as `vaquita fsck` does, and prints what is wrong.\n\n  hbase> "
     "hbck_chore_run\n"},
    {"flush_master_store", 0, 0, FlushMasterStore,
     "Writes the memstore of the master's own table to a file.\n\n  hbase> flush_master_store\n"},
    {"wal_roll", 1, 1, WalRoll,
     "Begins a new file of a region server's write-ahead log. Also: hlog_roll.\n\n  hbase> wal_roll "
     "'HOST,PORT,STARTCODE'\n"},
    {"clear_compaction_queues", 1, 2, ClearCompactionQueues,
     "Drops the compactions that wait at a region server: of the queues 'long', 'short' or both. A store that needs "
     "one\n"
     "asks for it again at once.\n\n  hbase> clear_compaction_queues 'HOST,PORT,STARTCODE'\n  hbase> "
     "clear_compaction_queues 'HOST,PORT,STARTCODE', ['long', 'short']\n"},
    {"clear_block_cache", 1, 1, ClearBlockCache,
     "Empties the block caches of the servers that have a table's regions. A server has one cache for all tables.\n\n  "
     "hbase> clear_block_cache 't1'\n"},
    {"zk_dump", 0, 0, ZkDump, "Prints what ZooKeeper's clients are told of the cluster.\n\n  hbase> zk_dump\n"},
};

constexpr Command kTrackerCommands[] = {
    {"change_sft", 0, Command::kAnyNumber, ChangeSft,
     "Sets the store file tracker of a table or of a family. It is kept, and changes nothing.\n\n  hbase> change_sft "
     "'t1', 'FILE'\n  hbase> change_sft 't1', 'f1', 'FILE'\n"},
    {"change_sft_all", 0, Command::kAnyNumber, ChangeSftAll,
     "Sets the store file tracker of all tables whose whole name a regular expression matches.\n\n  hbase> "
     "change_sft_all 't.*', 'FILE'\n"},
};

}  // namespace

std::span<const Command> ChoreCommands() { return kChoreCommands; }
std::span<const Command> TrackerCommands() { return kTrackerCommands; }

}  // namespace vaquita::shell

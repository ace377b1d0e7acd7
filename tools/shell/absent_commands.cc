// The commands of HBase 2.6's shell that have nothing to work on here. Each is refused: with HBase's own error where
// that is what an HBase says whose feature is off, else with a sentence that says why.
#include "tools/shell/command.h"

namespace vaquita::shell {
namespace {

// Ends of sentences that begin with "NAME is not there: ".
constexpr char kNoProcesses[] = "a server's info port lists the calls that run: /rs-status (docs/operations.md)";
constexpr char kNoZooKeeper[] = "there is no ZooKeeper to dump: the server answers for it (docs/architecture.md)";
constexpr char kNoRoll[] = "a server's log follows its memstores, which `flush` writes (docs/compatibility.md)";
constexpr char kUseFsck[] = "`vaquita fsck` checks a cluster that runs (docs/fsck.md)";
constexpr char kNoCleaner[] = "files that nothing needs any more are removed at once (docs/compatibility.md)";
constexpr char kNoTracing[] = "calls are not traced (docs/compatibility.md)";
constexpr char kNoQueues[] = "a store that waits for its compaction is due, and would wait again";
constexpr char kSharedCache[] = "a server has one block cache for all tables; blocks that nobody reads leave it";
constexpr char kNoSlowLog[] =
    "slow calls are not recorded. A server's info port lists the calls that run: /rs-status (docs/operations.md)";
constexpr char kNoDecisions[] =
    "the balancer's decisions are not recorded. balancer 'dry_run' prints its plan with reasons (docs/balancer.md)";
constexpr char kUseSignal[] = "clients cannot stop a server; send its process SIGTERM (docs/operations.md)";
constexpr char kNoMasterStore[] = "the master's own data need no flush: every change of them is on disk";
constexpr char kPeersElsewhere[] = "HBase's own shell and clients manage replication peers (docs/compatibility.md)";
constexpr char kReadAtStart[] = "settings are read when a server starts, so restart it (docs/configuration.md)";
constexpr char kNoFileTracker[] =
    "there are no HFiles to track. hbase.store.file-tracker.impl is kept with a table and changes nothing";

// HBase's own errors.
constexpr char kUseUnassign[] = "DEPRECATED!!! Use 'unassign' command instead.";
constexpr char kNoQuotas[] = "java.lang.UnsupportedOperationException: quota support disabled";
constexpr char kNoSecurity[] = "DISABLED: Security features are not available";
constexpr char kNoLabels[] = "DISABLED: Visibility labels feature is not available";
constexpr char kNoServerGroups[] =
    "org.apache.hadoop.hbase.exceptions.UnknownProtocolException: No registered Master Coprocessor Endpoint found for "
    "RSGroupAdminService. Has it been enabled?";

constexpr Command Missing(const char* name, const char* why) {
  return {name, 0, Command::kAnyNumber, nullptr, why, Command::Absence::kMissing};
}
constexpr Command Off(const char* name, const char* error) {
  return {name, 0, Command::kAnyNumber, nullptr, error, Command::Absence::kOff};
}

constexpr Command kGeneral[] = {
    Missing("processlist", kNoProcesses),
};

constexpr Command kTools[] = {
    Off("close_region", kUseUnassign),
    Missing("zk_dump", kNoZooKeeper),
    Missing("wal_roll", kNoRoll),
    Missing("hbck_chore_run", kUseFsck),
    Missing("cleaner_chore_run", kNoCleaner),
    Missing("cleaner_chore_switch", kNoCleaner),
    Missing("cleaner_chore_enabled", kNoCleaner),
    Missing("trace", kNoTracing),
    Missing("clear_compaction_queues", kNoQueues),
    Missing("clear_block_cache", kSharedCache),
    Missing("clear_slowlog_responses", kNoSlowLog),
    Missing("get_slowlog_responses", kNoSlowLog),
    Missing("get_largelog_responses", kNoSlowLog),
    Missing("get_balancer_decisions", kNoDecisions),
    Missing("get_balancer_rejections", kNoDecisions),
    Missing("stop_master", kUseSignal),
    Missing("stop_regionserver", kUseSignal),
    Missing("flush_master_store", kNoMasterStore),
};

constexpr Command kReplication[] = {
    Missing("add_peer", kPeersElsewhere),
    Missing("remove_peer", kPeersElsewhere),
    Missing("list_peers", kPeersElsewhere),
    Missing("enable_peer", kPeersElsewhere),
    Missing("disable_peer", kPeersElsewhere),
    Missing("set_peer_replicate_all", kPeersElsewhere),
    Missing("set_peer_serial", kPeersElsewhere),
    Missing("set_peer_namespaces", kPeersElsewhere),
    Missing("append_peer_namespaces", kPeersElsewhere),
    Missing("remove_peer_namespaces", kPeersElsewhere),
    Missing("set_peer_exclude_namespaces", kPeersElsewhere),
    Missing("append_peer_exclude_namespaces", kPeersElsewhere),
    Missing("remove_peer_exclude_namespaces", kPeersElsewhere),
    Missing("show_peer_tableCFs", kPeersElsewhere),
    Missing("set_peer_tableCFs", kPeersElsewhere),
    Missing("set_peer_exclude_tableCFs", kPeersElsewhere),
    Missing("append_peer_exclude_tableCFs", kPeersElsewhere),
    Missing("remove_peer_exclude_tableCFs", kPeersElsewhere),
    Missing("set_peer_bandwidth", kPeersElsewhere),
    Missing("append_peer_tableCFs", kPeersElsewhere),
    Missing("remove_peer_tableCFs", kPeersElsewhere),
    Missing("get_peer_config", kPeersElsewhere),
    Missing("list_peer_configs", kPeersElsewhere),
    Missing("update_peer_config", kPeersElsewhere),
    Missing("enable_table_replication", kPeersElsewhere),
    Missing("disable_table_replication", kPeersElsewhere),
};

constexpr Command kConfiguration[] = {
    Missing("update_config", kReadAtStart),
    Missing("update_all_config", kReadAtStart),
};

constexpr Command kQuota[] = {
    Off("set_quota", kNoQuotas),
    Off("list_quotas", kNoQuotas),
    Off("list_quota_table_sizes", kNoQuotas),
    Off("list_quota_snapshots", kNoQuotas),
    Off("list_snapshot_sizes", kNoQuotas),
    Off("enable_rpc_throttle", kNoQuotas),
    Off("disable_rpc_throttle", kNoQuotas),
    Off("enable_exceed_throttle_quota", kNoQuotas),
    Off("disable_exceed_throttle_quota", kNoQuotas),
};

constexpr Command kSecurity[] = {
    Off("grant", kNoSecurity),
    Off("revoke", kNoSecurity),
    Off("user_permission", kNoSecurity),
};

constexpr Command kLabel[] = {
    Off("add_labels", kNoLabels), Off("list_labels", kNoLabels), Off("set_auths", kNoLabels),
    Off("get_auths", kNoLabels),  Off("clear_auths", kNoLabels), Off("set_visibility", kNoLabels),
};

constexpr Command kServerGroup[] = {
    Off("list_rsgroups", kNoServerGroups),
    Off("get_rsgroup", kNoServerGroups),
    Off("add_rsgroup", kNoServerGroups),
    Off("remove_rsgroup", kNoServerGroups),
    Off("balance_rsgroup", kNoServerGroups),
    Off("move_servers_rsgroup", kNoServerGroups),
    Off("move_tables_rsgroup", kNoServerGroups),
    Off("move_namespaces_rsgroup", kNoServerGroups),
    Off("move_servers_tables_rsgroup", kNoServerGroups),
    Off("move_servers_namespaces_rsgroup", kNoServerGroups),
    Off("get_server_rsgroup", kNoServerGroups),
    Off("get_table_rsgroup", kNoServerGroups),
    Off("remove_servers_rsgroup", kNoServerGroups),
    Off("rename_rsgroup", kNoServerGroups),
    Off("alter_rsgroup_config", kNoServerGroups),
    Off("update_rsgroup_config", kNoServerGroups),
    Off("show_rsgroup_config", kNoServerGroups),
    Off("get_namespace_rsgroup", kNoServerGroups),
};

constexpr Command kFileTracker[] = {
    Missing("change_sft", kNoFileTracker),
    Missing("change_sft_all", kNoFileTracker),
};

}  // namespace

std::span<const Command> AbsentGeneralCommands() { return kGeneral; }
std::span<const Command> AbsentToolsCommands() { return kTools; }
std::span<const Command> AbsentReplicationCommands() { return kReplication; }
std::span<const Command> AbsentConfigurationCommands() { return kConfiguration; }
std::span<const Command> AbsentQuotaCommands() { return kQuota; }
std::span<const Command> AbsentSecurityCommands() { return kSecurity; }
std::span<const Command> AbsentLabelCommands() { return kLabel; }
std::span<const Command> AbsentServerGroupCommands() { return kServerGroup; }
std::span<const Command> AbsentFileTrackerCommands() { return kFileTracker; }

}  // namespace vaquita::shell

// Commands over replication peers. Source: hbase-shell's commands of the group replication, RepAdmin, and
// ReplicationPeerConfigUtil (2.6).
#include <algorithm>
#include <functional>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "tools/shell/command.h"

namespace vaquita::shell {
namespace {

using TableFamilies = ReplicationPeerConfig::TableFamilies;
using Names = std::set<std::string>;

// --- Arguments

absl::StatusOr<const Hash*> HashArgument(const Value* value, std::string_view name) {
  static const Hash kEmpty;
  if (value == nullptr || value->IsNil()) return &kEmpty;
  if (const Hash* hash = value->AsHash()) return hash;
  return ShellError(absl::StrCat(AbslText(name), " must be a Hash"));
}

absl::StatusOr<Names> NamesArgument(const Value& value) {
  if (value.AsArray() == nullptr) return ShellError("Namespaces must be an Array, such as ['ns1', 'ns2']");
  Names names;
  for (const Value& name : *value.AsArray()) names.insert(name.ToText());
  return names;
}

absl::StatusOr<TableFamilies> TablesArgument(const Value& value) {
  const Hash* hash = value.AsHash();
  if (hash == nullptr) {
    return ShellError("Tables and families must be a Hash, such as { 'table1' => [], 'ns2:table2' => ['cf1', 'cf2'] }");
  }
  TableFamilies tables;
  for (const HashEntry& entry : *hash) {
    VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableArgument(entry.key));
    for (const Value& family : Flatten({entry.value}, 0)) tables[table].push_back(family.ToText());
    tables.try_emplace(table);
  }
  return tables;
}

absl::Status ReadSettings(const Hash& arguments, ReplicationPeerConfig* config) {
  VAQUITA_ASSIGN_OR_RETURN(const Hash* settings, HashArgument(Find(arguments, "CONFIG"), "CONFIG"));
  for (const HashEntry& entry : *settings) config->configuration[entry.key.ToText()] = entry.value.ToText();
  VAQUITA_ASSIGN_OR_RETURN(const Hash* data, HashArgument(Find(arguments, "DATA"), "DATA"));
  for (const HashEntry& entry : *data) config->data[entry.key.ToText()] = entry.value.ToText();
  return absl::OkStatus();
}

absl::StatusOr<ReplicationPeer> FindPeer(Context& context, const std::string& id) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<ReplicationPeer> peers, context.admin.ListReplicationPeers());
  const auto found = std::find_if(peers.begin(), peers.end(), [&](const auto& peer) { return peer.id == id; });
  if (found == peers.end()) return Error(ErrorKind::kReplicationPeerNotFound, id);
  return *found;
}

// Changes the configuration of the peer that the first argument names.
absl::StatusOr<Value> ChangePeer(Context& context, const Arguments& arguments,
                                 const std::function<absl::Status(ReplicationPeerConfig*)>& change) {
  const std::string id = TextArgument(arguments, 0);
  VAQUITA_ASSIGN_OR_RETURN(ReplicationPeer peer, FindPeer(context, id));
  VAQUITA_RETURN_IF_ERROR(change(&peer.config));
  return NilOr(context.admin.UpdateReplicationPeer(id, peer.config));
}

// --- What is printed

// "default.t:f,g;ns.u": tables without families are those with all of them.
std::string TablesText(const TableFamilies& tables) {
  std::vector<std::string> texts;
  for (const auto& [table, families] : tables) {
    texts.push_back(
        absl::StrCat(table.ns, ".", table.qualifier, families.empty() ? "" : ":", absl::StrJoin(families, ",")));
  }
  return absl::StrJoin(texts, ";");
}

std::string Excluded(const std::string& text) { return text.empty() ? "" : absl::StrCat("!", text); }

const char* BooleanText(bool value) { return value ? "true" : "false"; }

void PrintConfig(Context& context, const ReplicationPeerConfig& config) {
  context.formatter.Row({"Cluster Key", config.cluster_key});
  if (!config.endpoint.empty()) context.formatter.Row({"Replication Endpoint", config.endpoint});
  for (const auto& [name, value] : config.configuration) context.formatter.Row({name, value});
}

// --- Peers

absl::StatusOr<ReplicationPeer> PeerToAdd(const Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const Hash options, OptionsArgument(arguments, 1, "args must be a Hash"));
  if (arguments.size() > 2) return ShellError("peer_tableCFs should be specified as TABLE_CFS in args");
  const Value* key = Find(options, "CLUSTER_KEY");
  const Value* endpoint = Find(options, "ENDPOINT_CLASSNAME");
  if (key == nullptr && endpoint == nullptr) {
    return ShellError("Either ENDPOINT_CLASSNAME or CLUSTER_KEY must be specified.");
  }
  ReplicationPeer peer;
  peer.id = arguments[0].ToText();
  ReplicationPeerConfig& config = peer.config;
  // HBase's shell gives an endpoint of one's own the key of the cluster itself.
  config.cluster_key = key == nullptr ? "127.0.0.1:2181:/hbase" : key->ToText();
  if (endpoint != nullptr) config.endpoint = endpoint->ToText();
  VAQUITA_RETURN_IF_ERROR(ReadSettings(options, &config));
  if (const Value* namespaces = Find(options, "NAMESPACES")) {
    VAQUITA_ASSIGN_OR_RETURN(config.namespaces, NamesArgument(*namespaces));
    config.replicate_all = false;
  }
  if (const Value* tables = Find(options, "TABLE_CFS")) {
    VAQUITA_ASSIGN_OR_RETURN(config.tables, TablesArgument(*tables));
    config.replicate_all = false;
  }
  if (const Value* serial = Find(options, "SERIAL")) config.serial = SwitchArgument(*serial);
  if (const Value* state = Find(options, "STATE")) peer.enabled = state->ToText() != "DISABLED";
  return peer;
}

absl::StatusOr<Value> AddPeer(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const ReplicationPeer peer, PeerToAdd(arguments));
  return NilOr(context.admin.AddReplicationPeer(peer));
}

absl::StatusOr<Value> RemovePeer(Context& context, Arguments& arguments) {
  return NilOr(context.admin.RemoveReplicationPeer(arguments[0].ToText()));
}

template <bool on>
absl::StatusOr<Value> SwitchPeer(Context& context, Arguments& arguments) {
  return NilOr(context.admin.SwitchReplicationPeer(arguments[0].ToText(), on));
}

absl::StatusOr<Value> ListPeers(Context& context, Arguments&) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<ReplicationPeer> peers, context.admin.ListReplicationPeers());
  context.formatter.Header({"PEER_ID", "CLUSTER_KEY", "ENDPOINT_CLASSNAME", "STATE", "REPLICATE_ALL", "NAMESPACES",
                            "TABLE_CFS", "BANDWIDTH", "SERIAL"});
  for (const ReplicationPeer& peer : peers) {
    const ReplicationPeerConfig& config = peer.config;
    const bool all = config.replicate_all;
    context.formatter.Row(
        {peer.id, config.cluster_key, config.endpoint, peer.enabled ? "ENABLED" : "DISABLED", BooleanText(all),
         all ? Excluded(absl::StrJoin(config.excluded_namespaces, ";")) : absl::StrJoin(config.namespaces, ";"),
         all ? Excluded(TablesText(config.excluded_tables)) : TablesText(config.tables), absl::StrCat(config.bandwidth),
         BooleanText(config.serial)});
  }
  context.formatter.Footer();
  return Value();
}

absl::StatusOr<Value> GetPeerConfig(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const ReplicationPeer peer, FindPeer(context, arguments[0].ToText()));
  PrintConfig(context, peer.config);
  return Value();
}

absl::StatusOr<Value> ListPeerConfigs(Context& context, Arguments&) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<ReplicationPeer> peers, context.admin.ListReplicationPeers());
  for (const ReplicationPeer& peer : peers) {
    context.formatter.Row({"PeerId", peer.id});
    PrintConfig(context, peer.config);
    context.formatter.Row({" "});
  }
  return Value();
}

absl::StatusOr<Value> UpdatePeerConfig(Context& context, Arguments& arguments) {
  return ChangePeer(context, arguments, [&](ReplicationPeerConfig* config) -> absl::Status {
    VAQUITA_ASSIGN_OR_RETURN(const Hash* options,
                             HashArgument(arguments.size() > 1 ? &arguments[1] : nullptr, "The configuration"));
    return ReadSettings(*options, config);
  });
}

absl::StatusOr<Value> SetReplicateAll(Context& context, Arguments& arguments) {
  return ChangePeer(context, arguments, [&](ReplicationPeerConfig* config) {
    config->replicate_all = SwitchArgument(arguments[1]);
    return absl::OkStatus();
  });
}

absl::StatusOr<Value> SetSerial(Context& context, Arguments& arguments) {
  return ChangePeer(context, arguments, [&](ReplicationPeerConfig* config) {
    config->serial = SwitchArgument(arguments[1]);
    return absl::OkStatus();
  });
}

absl::StatusOr<Value> SetBandwidth(Context& context, Arguments& arguments) {
  const int64_t* given = arguments.size() > 1 ? arguments[1].AsInteger() : nullptr;
  if (arguments.size() > 1 && given == nullptr) {
    return ShellError(absl::StrCat("The bandwidth ", arguments[1].Inspect(), " is not a whole number"));
  }
  return ChangePeer(context, arguments, [&](ReplicationPeerConfig* config) {
    config->bandwidth = given == nullptr ? 0 : *given;
    return absl::OkStatus();
  });
}

// --- Namespaces: set, appended to, or removed from those of the configuration.

enum class Edit { kSet, kAppend, kRemove };

template <Names ReplicationPeerConfig::*field, Edit edit>
absl::StatusOr<Value> EditNamespaces(Context& context, Arguments& arguments) {
  if (arguments[1].IsNil()) return Value();
  VAQUITA_ASSIGN_OR_RETURN(const Names names, NamesArgument(arguments[1]));
  return ChangePeer(context, arguments, [&](ReplicationPeerConfig* config) {
    Names& present = config->*field;
    if (edit == Edit::kSet) present.clear();
    for (const std::string& name : names) {
      edit == Edit::kRemove ? static_cast<void>(present.erase(name)) : static_cast<void>(present.insert(name));
    }
    return absl::OkStatus();
  });
}

// --- Tables and their families, likewise.

// An empty list means all families, so nothing can be added to it, and a list that is added makes it so.
void AppendTables(const TableFamilies& tables, TableFamilies* present) {
  for (const auto& [table, families] : tables) {
    const auto [at, is_new] = present->try_emplace(table, families);
    if (is_new) continue;
    if (families.empty()) at->second.clear();
    if (at->second.empty()) continue;
    for (const std::string& family : families) {
      if (std::find(at->second.begin(), at->second.end(), family) == at->second.end()) at->second.push_back(family);
    }
  }
}

// `what` is "table-cfs" or "exclude-table-cfs".
absl::Status RemoveTables(const std::string& id, const char* what, const TableFamilies& tables,
                          TableFamilies* present) {
  for (const auto& [table, families] : tables) {
    const auto at = present->find(table);
    if (at == present->end()) {
      return ShellError(absl::StrCat("No table: ", table.ToString(), " in ", what, " config of peer: ", id));
    }
    if (at->second.empty() != families.empty()) {
      return ShellError(families.empty()
                            ? absl::StrCat("Cannot remove table: ", table.ToString(), " which has specified cfs from ",
                                           what, " config in peer: ", id)
                            : absl::StrCat("Cannot remove cf of table: ", table.ToString(),
                                           " which doesn't specify cfs from ", what, " config in peer: ", id));
    }
    for (const std::string& family : families) std::erase(at->second, family);
    if (at->second.empty()) present->erase(at);
  }
  return absl::OkStatus();
}

template <TableFamilies ReplicationPeerConfig::*field, Edit edit>
absl::StatusOr<Value> EditTables(Context& context, Arguments& arguments) {
  constexpr bool kExcluded = field == &ReplicationPeerConfig::excluded_tables;
  if (arguments.size() < 2 || arguments[1].IsNil()) return Value();
  VAQUITA_ASSIGN_OR_RETURN(const TableFamilies tables, TablesArgument(arguments[1]));
  const std::string id = arguments[0].ToText();
  return ChangePeer(context, arguments, [&](ReplicationPeerConfig* config) -> absl::Status {
    TableFamilies& present = config->*field;
    if (edit == Edit::kSet) present = tables;
    if (edit == Edit::kAppend) AppendTables(tables, &present);
    if (edit != Edit::kRemove) return absl::OkStatus();
    if (present.empty()) {
      return ShellError(absl::StrCat(kExcluded ? "exclude-Table-Cfs" : "Table-Cfs", " for peer: ", id, " is null"));
    }
    return RemoveTables(id, kExcluded ? "exclude-table-cfs" : "table-cfs", tables, &present);
  });
}

absl::StatusOr<Value> ShowTables(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const ReplicationPeer peer, FindPeer(context, arguments[0].ToText()));
  const std::string text = TablesText(peer.config.tables);
  context.out << text << "\n";
  return text.empty() ? Value() : Value(text);
}

// --- A table's REPLICATION_SCOPE

absl::Status SetScope(Context& context, const Value& name, const char* scope) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableArgument(name));
  VAQUITA_ASSIGN_OR_RETURN(const bool exists, context.admin.TableExists(table));
  if (!exists) return ShellError(absl::StrCat("Table '", table.ToString(), "' does not exists."));
  const bool on = scope != std::string_view("0");
  if (on) {
    VAQUITA_ASSIGN_OR_RETURN(const std::vector<ReplicationPeer> peers, context.admin.ListReplicationPeers());
    if (peers.empty()) return ShellError("Found no peer cluster for replication.");
  }
  VAQUITA_ASSIGN_OR_RETURN(TableDescriptor descriptor, context.admin.GetDescriptor(table));
  for (auto& [family_name, family] : descriptor.families) family.attributes["REPLICATION_SCOPE"] = scope;
  return context.admin.ModifyTable(descriptor);
}

absl::StatusOr<Value> EnableTableReplication(Context& context, Arguments& arguments) {
  VAQUITA_RETURN_IF_ERROR(SetScope(context, arguments[0], "1"));
  context.out << "The replication of table '" << arguments[0].ToText() << "' successfully enabled\n";
  return Value();
}

absl::StatusOr<Value> DisableTableReplication(Context& context, Arguments& arguments) {
  VAQUITA_RETURN_IF_ERROR(SetScope(context, arguments[0], "0"));
  context.out << "Replication of table '" << arguments[0].ToText() << "' successfully disabled.\n";
  return Value();
}

using C = ReplicationPeerConfig;

constexpr Command kPeerCommands[] = {
    {"add_peer", 1, 3, AddPeer,
     "Adds a replication peer: a cluster to which rows should be replicated. Vaquita keeps it, and replicates nothing."
     "\n\n  hbase> add_peer '1', CLUSTER_KEY => 'zk1,zk2:2181:/hbase'\n  hbase> add_peer '2', CLUSTER_KEY => "
     "'zk3:2182:/hbase-prod', STATE => 'DISABLED'\n  hbase> add_peer '3', CLUSTER_KEY => 'zk1:2181:/hbase', TABLE_CFS "
     "=> { 'table1' => [], 'ns2:table2' => ['cf1'] }\n  hbase> add_peer '4', CLUSTER_KEY => 'zk1:2181:/hbase', "
     "NAMESPACES => ['ns1'], CONFIG => { 'k' => 'v' }, SERIAL => true\n"},
    {"remove_peer", 1, 1, RemovePeer, "Removes a replication peer.\n\n  hbase> remove_peer '1'\n"},
    {"list_peers", 0, 0, ListPeers, "Lists the replication peers.\n\n  hbase> list_peers\n"},
    {"enable_peer", 1, 1, SwitchPeer<true>, "Enables a replication peer.\n\n  hbase> enable_peer '1'\n"},
    {"disable_peer", 1, 1, SwitchPeer<false>, "Disables a replication peer.\n\n  hbase> disable_peer '1'\n"},
    {"set_peer_replicate_all", 2, 2, SetReplicateAll,
     "Chooses all tables but the excluded ones for a peer, or, with false, those that its configuration names.\n\n  "
     "hbase> set_peer_replicate_all '1', true\n"},
    {"set_peer_serial", 2, 2, SetSerial,
     "Asks for rows in the order of their changes, or no longer.\n\n  hbase> set_peer_serial '1', true\n"},
    {"set_peer_namespaces", 2, 2, EditNamespaces<&C::namespaces, Edit::kSet>,
     "Sets the namespaces of a peer.\n\n  hbase> set_peer_namespaces '1', ['ns1', 'ns2']\n"},
    {"append_peer_namespaces", 2, 2, EditNamespaces<&C::namespaces, Edit::kAppend>,
     "Adds namespaces to those of a peer.\n\n  hbase> append_peer_namespaces '1', ['ns1']\n"},
    {"remove_peer_namespaces", 2, 2, EditNamespaces<&C::namespaces, Edit::kRemove>,
     "Removes namespaces from those of a peer.\n\n  hbase> remove_peer_namespaces '1', ['ns1']\n"},
    {"set_peer_exclude_namespaces", 2, 2, EditNamespaces<&C::excluded_namespaces, Edit::kSet>,
     "Sets the namespaces that a peer does not get.\n\n  hbase> set_peer_exclude_namespaces '1', ['ns1']\n"},
    {"append_peer_exclude_namespaces", 2, 2, EditNamespaces<&C::excluded_namespaces, Edit::kAppend>,
     "Adds namespaces to those that a peer does not get.\n\n  hbase> append_peer_exclude_namespaces '1', ['ns1']\n"},
    {"remove_peer_exclude_namespaces", 2, 2, EditNamespaces<&C::excluded_namespaces, Edit::kRemove>,
     "Removes namespaces from those that a peer does not get.\n\n  hbase> remove_peer_exclude_namespaces '1', "
     "['ns1']\n"},
    {"show_peer_tableCFs", 1, 1, ShowTables,
     "Prints the tables and families of a peer.\n\n  hbase> show_peer_tableCFs '1'\n"},
    {"set_peer_tableCFs", 1, 2, EditTables<&C::tables, Edit::kSet>,
     "Sets the tables and families of a peer; [] means all families.\n\n  hbase> set_peer_tableCFs '1', { 't1' => [], "
     "'ns2:t2' => ['cf1', 'cf2'] }\n"},
    {"append_peer_tableCFs", 2, 2, EditTables<&C::tables, Edit::kAppend>,
     "Adds tables and families to those of a peer.\n\n  hbase> append_peer_tableCFs '1', { 't3' => ['cf1'] }\n"},
    {"remove_peer_tableCFs", 2, 2, EditTables<&C::tables, Edit::kRemove>,
     "Removes tables and families from those of a peer.\n\n  hbase> remove_peer_tableCFs '1', { 't3' => ['cf1'] }\n"},
    {"set_peer_exclude_tableCFs", 1, 2, EditTables<&C::excluded_tables, Edit::kSet>,
     "Sets the tables and families that a peer does not get.\n\n  hbase> set_peer_exclude_tableCFs '1', { 't1' => [] "
     "}\n"},
    {"append_peer_exclude_tableCFs", 2, 2, EditTables<&C::excluded_tables, Edit::kAppend>,
     "Adds tables and families to those that a peer does not get.\n\n  hbase> append_peer_exclude_tableCFs '1', { "
     "'t3' => [] }\n"},
    {"remove_peer_exclude_tableCFs", 2, 2, EditTables<&C::excluded_tables, Edit::kRemove>,
     "Removes tables and families from those that a peer does not get.\n\n  hbase> remove_peer_exclude_tableCFs '1', "
     "{ 't3' => [] }\n"},
    {"set_peer_bandwidth", 1, 2, SetBandwidth,
     "Limits a peer to so many bytes a second, or to none.\n\n  hbase> set_peer_bandwidth '1', 1048576\n  hbase> "
     "set_peer_bandwidth '1'\n"},
    {"get_peer_config", 1, 1, GetPeerConfig, "Prints a peer's configuration.\n\n  hbase> get_peer_config '1'\n"},
    {"list_peer_configs", 0, 0, ListPeerConfigs, "Prints all peers' configurations.\n\n  hbase> list_peer_configs\n"},
    {"update_peer_config", 1, 2, UpdatePeerConfig,
     "Changes settings of a peer's configuration, and keeps the others.\n\n  hbase> update_peer_config '1', CONFIG => "
     "{ 'k' => 'v' }, DATA => { 'd' => 'w' }\n"},
    {"enable_table_replication", 1, 1, EnableTableReplication,
     "Sets REPLICATION_SCOPE of all of a table's families to 1. The table is not made at the peers.\n\n  hbase> "
     "enable_table_replication 't1'\n"},
    {"disable_table_replication", 1, 1, DisableTableReplication,
     "Sets REPLICATION_SCOPE of all of a table's families to 0.\n\n  hbase> disable_table_replication 't1'\n"},
};

}  // namespace

std::span<const Command> PeerCommands() { return kPeerCommands; }

}  // namespace vaquita::shell

#include "proto/hbase/replication_codec.h"

#include <utility>

#include "base/status.h"
#include "proto/hbase/schema_codec.h"

namespace vaquita {
namespace {

using TableFamilies = ReplicationPeerConfig::TableFamilies;

template <typename Messages>
void EncodeTables(const TableFamilies& tables, Messages* out) {
  for (const auto& [table, families] : tables) {
    pb::TableCF* message = out->Add();
    EncodeTableName(table, message->mutable_table_name());
    for (const std::string& family : families) message->add_families(family);
  }
}

template <typename Messages>
absl::StatusOr<TableFamilies> DecodeTables(const Messages& messages) {
  TableFamilies tables;
  for (const pb::TableCF& message : messages) {
    VAQUITA_ASSIGN_OR_RETURN(const TableName table, DecodeTableName(message.table_name()));
    tables[table].assign(message.families().begin(), message.families().end());
  }
  return tables;
}

}  // namespace

void EncodePeerConfig(const ReplicationPeerConfig& config, pb::ReplicationPeer* out) {
  out->set_clusterkey(config.cluster_key);
  if (!config.endpoint.empty()) out->set_replicationendpointimpl(config.endpoint);
  for (const auto& [name, value] : config.data) {
    pb::BytesBytesPair* pair = out->add_data();
    pair->set_first(name);
    pair->set_second(value);
  }
  for (const auto& [name, value] : config.configuration) {
    pb::NameStringPair* pair = out->add_configuration();
    pair->set_name(name);
    pair->set_value(value);
  }
  out->set_replicate_all(config.replicate_all);
  for (const std::string& ns : config.namespaces) out->add_namespaces(ns);
  EncodeTables(config.tables, out->mutable_table_cfs());
  for (const std::string& ns : config.excluded_namespaces) out->add_exclude_namespaces(ns);
  EncodeTables(config.excluded_tables, out->mutable_exclude_table_cfs());
  out->set_bandwidth(config.bandwidth);
  out->set_serial(config.serial);
}

absl::StatusOr<ReplicationPeerConfig> DecodePeerConfig(const pb::ReplicationPeer& config) {
  ReplicationPeerConfig out;
  out.cluster_key = config.clusterkey();
  out.endpoint = config.replicationendpointimpl();
  for (const pb::BytesBytesPair& pair : config.data()) out.data[pair.first()] = pair.second();
  for (const pb::NameStringPair& pair : config.configuration()) out.configuration[pair.name()] = pair.value();
  out.replicate_all = config.has_replicate_all() ? config.replicate_all()
                                                 : config.namespaces_size() == 0 && config.table_cfs_size() == 0;
  out.namespaces = {config.namespaces().begin(), config.namespaces().end()};
  VAQUITA_ASSIGN_OR_RETURN(out.tables, DecodeTables(config.table_cfs()));
  out.excluded_namespaces = {config.exclude_namespaces().begin(), config.exclude_namespaces().end()};
  VAQUITA_ASSIGN_OR_RETURN(out.excluded_tables, DecodeTables(config.exclude_table_cfs()));
  out.bandwidth = config.bandwidth();
  out.serial = config.serial();
  return out;
}

void EncodePeer(const ReplicationPeer& peer, pb::ReplicationPeerDescription* out) {
  out->set_id(peer.id);
  out->mutable_state()->set_state(peer.enabled ? pb::ReplicationState::ENABLED : pb::ReplicationState::DISABLED);
  EncodePeerConfig(peer.config, out->mutable_config());
}

absl::StatusOr<ReplicationPeer> DecodePeer(const pb::ReplicationPeerDescription& peer) {
  VAQUITA_ASSIGN_OR_RETURN(ReplicationPeerConfig config, DecodePeerConfig(peer.config()));
  return ReplicationPeer{
      .id = peer.id(), .enabled = peer.state().state() == pb::ReplicationState::ENABLED, .config = std::move(config)};
}

}  // namespace vaquita

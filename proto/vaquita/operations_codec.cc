#include "proto/vaquita/operations_codec.h"

#include "base/status.h"
#include "proto/vaquita/admin_codec.h"
#include "proto/vaquita/status_codec.h"

namespace vaquita {
namespace {

using TableFamilies = ReplicationPeerConfig::TableFamilies;

template <typename Messages>
void TablesToProto(const TableFamilies& tables, Messages* out) {
  for (const auto& [table, families] : tables) {
    auto* message = out->Add();
    message->set_table(table.ToString());
    for (const std::string& family : families) message->add_families(family);
  }
}

template <typename Messages>
absl::StatusOr<TableFamilies> TablesFromProto(const Messages& messages) {
  TableFamilies tables;
  for (const v1::ReplicationPeer::Table& message : messages) {
    VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableName::Parse(message.table()));
    tables[table].assign(message.families().begin(), message.families().end());
  }
  return tables;
}

}  // namespace

void ToProto(const ReplicationPeer& peer, v1::ReplicationPeer* out) {
  const ReplicationPeerConfig& config = peer.config;
  out->set_id(Utf8Text(peer.id));
  out->set_enabled(peer.enabled);
  out->set_cluster_key(Utf8Text(config.cluster_key));
  out->set_endpoint(Utf8Text(config.endpoint));
  ToProto(config.configuration, out->mutable_configuration());
  ToProto(config.data, out->mutable_data());
  out->set_replicate_all(config.replicate_all);
  for (const std::string& ns : config.namespaces) out->add_namespaces(Utf8Text(ns));
  TablesToProto(config.tables, out->mutable_tables());
  for (const std::string& ns : config.excluded_namespaces) out->add_excluded_namespaces(Utf8Text(ns));
  TablesToProto(config.excluded_tables, out->mutable_excluded_tables());
  out->set_bandwidth(config.bandwidth);
  out->set_serial(config.serial);
}

absl::StatusOr<ReplicationPeer> FromProto(const v1::ReplicationPeer& peer) {
  ReplicationPeer out{.id = peer.id(), .enabled = peer.enabled(), .config = {}};
  ReplicationPeerConfig& config = out.config;
  config.cluster_key = peer.cluster_key();
  config.endpoint = peer.endpoint();
  config.configuration = FromProto(peer.configuration());
  config.data = FromProto(peer.data());
  config.replicate_all = peer.replicate_all();
  config.namespaces = {peer.namespaces().begin(), peer.namespaces().end()};
  VAQUITA_ASSIGN_OR_RETURN(config.tables, TablesFromProto(peer.tables()));
  config.excluded_namespaces = {peer.excluded_namespaces().begin(), peer.excluded_namespaces().end()};
  VAQUITA_ASSIGN_OR_RETURN(config.excluded_tables, TablesFromProto(peer.excluded_tables()));
  config.bandwidth = peer.bandwidth();
  config.serial = peer.serial();
  return out;
}

void ToProto(const BalancerDecision& decision, WireDecision* out) {
  out->set_costs_before(decision.costs_before);
  out->set_costs_after(decision.costs_after);
  out->set_cost_before(decision.cost_before);
  out->set_cost_after(decision.cost_after);
  out->set_steps(decision.steps);
  for (const std::string& move : decision.moves) out->add_moves(move);
}

BalancerDecision FromProto(const WireDecision& decision) {
  return {.costs_before = decision.costs_before(),
          .costs_after = decision.costs_after(),
          .cost_before = decision.cost_before(),
          .cost_after = decision.cost_after(),
          .steps = decision.steps(),
          .moves = {decision.moves().begin(), decision.moves().end()}};
}

void ToProto(const BalancerRejection& rejection, WireRejection* out) {
  out->set_reason(rejection.reason);
  for (const std::string& cost : rejection.costs) out->add_costs(cost);
}

BalancerRejection FromProto(const WireRejection& rejection) {
  return {.reason = rejection.reason(), .costs = {rejection.costs().begin(), rejection.costs().end()}};
}

void ToProto(const SlowCallQuery& query, v1::ListSlowCallsRequest* out) {
  out->set_large(query.large);
  out->set_limit(query.limit);
  if (query.region) out->set_region(*query.region);
  if (query.table) out->set_table(*query.table);
  if (query.client_address) out->set_client_address(*query.client_address);
  if (query.user) out->set_user(*query.user);
  out->set_all_filters(query.all_filters);
}

SlowCallQuery FromProto(const v1::ListSlowCallsRequest& query) {
  SlowCallQuery out{.large = query.large(), .limit = query.limit()};
  if (query.has_region()) out.region = query.region();
  if (query.has_table()) out.table = query.table();
  if (query.has_client_address()) out.client_address = query.client_address();
  if (query.has_user()) out.user = query.user();
  out.all_filters = query.all_filters();
  return out;
}

void ToProto(const SlowCall& call, WireSlowCall* out) {
  out->set_start_ms(call.start_ms);
  out->set_processing_ms(call.processing_ms);
  out->set_queue_ms(call.queue_ms);
  out->set_response_bytes(call.response_bytes);
  out->set_client_address(Utf8Text(call.client_address));
  out->set_server_class(call.server_class);
  out->set_method(Utf8Text(call.method));
  out->set_details(Utf8Text(call.details));
  out->set_parameter(call.parameter);
  out->set_region(call.region);
  out->set_user(Utf8Text(call.user));
  out->set_gets(call.gets);
  out->set_mutations(call.mutations);
  out->set_service_calls(call.service_calls);
  out->set_slow(call.slow);
  out->set_large(call.large);
}

SlowCall FromProto(const WireSlowCall& call) {
  return {.start_ms = call.start_ms(),
          .processing_ms = call.processing_ms(),
          .queue_ms = call.queue_ms(),
          .response_bytes = call.response_bytes(),
          .client_address = call.client_address(),
          .server_class = call.server_class(),
          .method = call.method(),
          .details = call.details(),
          .parameter = call.parameter(),
          .region = call.region(),
          .user = call.user(),
          .gets = call.gets(),
          .mutations = call.mutations(),
          .service_calls = call.service_calls(),
          .slow = call.slow(),
          .large = call.large()};
}

}  // namespace vaquita

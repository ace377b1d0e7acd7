#include "proto/hbase/log_codec.h"

namespace vaquita {
namespace {

// An empty text filters nothing, as in LogHandlerUtils.
std::optional<std::string> Filter(const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); }

}  // namespace

void EncodeSlowCall(const SlowCall& call, pb::SlowLogPayload* out) {
  out->set_start_time(call.start_ms);
  out->set_processing_time(static_cast<int32_t>(call.processing_ms));
  out->set_queue_time(static_cast<int32_t>(call.queue_ms));
  out->set_response_size(call.response_bytes);
  out->set_client_address(call.client_address);
  out->set_server_class(call.server_class);
  out->set_method_name(call.method);
  out->set_call_details(call.details);
  out->set_param(call.parameter);
  out->set_user_name(call.user);
  out->set_region_name(call.region);
  out->set_multi_gets(static_cast<int32_t>(call.gets));
  out->set_multi_mutations(static_cast<int32_t>(call.mutations));
  out->set_multi_service_calls(static_cast<int32_t>(call.service_calls));
  out->set_type(call.slow && call.large ? pb::SlowLogPayload::ALL
                : call.large            ? pb::SlowLogPayload::LARGE_LOG
                                        : pb::SlowLogPayload::SLOW_LOG);
}

SlowCall DecodeSlowCall(const pb::SlowLogPayload& call) {
  return {.start_ms = call.start_time(),
          .processing_ms = call.processing_time(),
          .queue_ms = call.queue_time(),
          .response_bytes = call.response_size(),
          .client_address = call.client_address(),
          .server_class = call.server_class(),
          .method = call.method_name(),
          .details = call.call_details(),
          .parameter = call.param(),
          .region = call.region_name(),
          .user = call.user_name(),
          .gets = call.multi_gets(),
          .mutations = call.multi_mutations(),
          .service_calls = call.multi_service_calls(),
          .slow = call.type() != pb::SlowLogPayload::LARGE_LOG,
          .large = call.type() != pb::SlowLogPayload::SLOW_LOG};
}

void EncodeSlowCallQuery(const SlowCallQuery& query, pb::SlowLogResponseRequest* out) {
  if (query.region) out->set_region_name(*query.region);
  if (query.table) out->set_table_name(*query.table);
  if (query.client_address) out->set_client_address(*query.client_address);
  if (query.user) out->set_user_name(*query.user);
  out->set_limit(static_cast<uint32_t>(query.limit));
  if (query.all_filters) out->set_filter_by_operator(pb::SlowLogResponseRequest::AND);
  out->set_log_type(query.large ? pb::SlowLogResponseRequest::LARGE_LOG : pb::SlowLogResponseRequest::SLOW_LOG);
}

SlowCallQuery DecodeSlowCallQuery(const pb::SlowLogResponseRequest& query) {
  return {.large = query.log_type() == pb::SlowLogResponseRequest::LARGE_LOG,
          .limit = query.limit(),
          .region = Filter(query.region_name()),
          .table = Filter(query.table_name()),
          .client_address = Filter(query.client_address()),
          .user = Filter(query.user_name()),
          .all_filters = query.filter_by_operator() == pb::SlowLogResponseRequest::AND};
}

void EncodeDecision(const BalancerDecision& decision, pb::BalancerDecision* out) {
  out->set_initial_function_costs(decision.costs_before);
  out->set_final_function_costs(decision.costs_after);
  out->set_init_total_cost(decision.cost_before);
  out->set_computed_total_cost(decision.cost_after);
  out->set_computed_steps(static_cast<uint64_t>(decision.steps));
  for (const std::string& move : decision.moves) out->add_region_plans(move);
}

BalancerDecision DecodeDecision(const pb::BalancerDecision& decision) {
  return {.costs_before = decision.initial_function_costs(),
          .costs_after = decision.final_function_costs(),
          .cost_before = decision.init_total_cost(),
          .cost_after = decision.computed_total_cost(),
          .steps = static_cast<int64_t>(decision.computed_steps()),
          .moves = {decision.region_plans().begin(), decision.region_plans().end()}};
}

void EncodeRejection(const BalancerRejection& rejection, pb::BalancerRejection* out) {
  out->set_reason(rejection.reason);
  for (const std::string& cost : rejection.costs) out->add_cost_func_info(cost);
}

BalancerRejection DecodeRejection(const pb::BalancerRejection& rejection) {
  return {.reason = rejection.reason(),
          .costs = {rejection.cost_func_info().begin(), rejection.cost_func_info().end()}};
}

}  // namespace vaquita

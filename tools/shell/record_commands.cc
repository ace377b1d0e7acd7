// Commands over what servers keep in memory: slow and large calls, and the balancer's runs. Source: hbase-shell's
// commands of the group tools, Admin.get_slowlog_responses, OnlineLogRecord, BalancerDecision, BalancerRejection (2.6).
#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "tools/shell/command.h"
#include "tools/shell/gson_object.h"
#include "tools/shell/server_names.h"

namespace vaquita::shell {
namespace {

// Ruby prints an empty line for an array that is empty.
void PrintRecords(Context& context, std::string_view what, const std::vector<std::string>& records) {
  context.out << what << "\n";
  for (const std::string& record : records) context.out << record << "\n";
  if (records.empty()) context.out << "\n";
}

absl::StatusOr<Hash> FilterArgument(const Arguments& arguments, size_t i) {
  return OptionsArgument(arguments, i, "Filter parameters are not Hash");
}

absl::StatusOr<int64_t> LimitIn(const Hash& filter, int64_t otherwise) {
  const Value* limit = Find(filter, "LIMIT");
  if (limit == nullptr) return otherwise;
  if (limit->AsInteger() != nullptr && *limit->AsInteger() >= 0) return *limit->AsInteger();
  return ShellError(absl::StrCat("LIMIT ", limit->Inspect(), " is not a number from 0"));
}

std::optional<std::string> TextIn(const Hash& filter, std::string_view key) {
  const Value* value = Find(filter, key);
  return value == nullptr ? std::nullopt : std::optional(value->ToText());
}

absl::StatusOr<SlowCallQuery> QueryOf(const Hash& filter, bool large) {
  SlowCallQuery query{.large = large,
                      .limit = 0,
                      .region = TextIn(filter, "REGION_NAME"),
                      .table = TextIn(filter, "TABLE_NAME"),
                      .client_address = TextIn(filter, "CLIENT_IP"),
                      .user = TextIn(filter, "USER")};
  VAQUITA_ASSIGN_OR_RETURN(query.limit, LimitIn(filter, 10));
  const std::string by = TextIn(filter, "FILTER_BY_OP").value_or("OR");
  if (by != "OR" && by != "AND") return ShellError("FILTER_BY_OP should be either OR / AND");
  query.all_filters = by == "AND";
  return query;
}

// Figures of HDFS are 0, as they are with HBase on another file system.
std::string JsonOf(const SlowCall& call) {
  GsonObject json(/*escape_html=*/true);
  json.Add("startTime", call.start_ms)
      .Add("processingTime", call.processing_ms)
      .Add("queueTime", call.queue_ms)
      .Add("responseSize", call.response_bytes)
      .Add("blockBytesScanned", int64_t{0})
      .Add("fsReadTime", int64_t{0})
      .Add("clientAddress", call.client_address)
      .Add("serverClass", call.server_class)
      .Add("methodName", call.method)
      .Add("callDetails", call.details)
      .Add("param", call.parameter)
      .Add("userName", call.user);
  if (call.gets > 0) json.Add("multiGetsCount", call.gets);
  if (call.mutations > 0) json.Add("multiMutationsCount", call.mutations);
  if (call.service_calls > 0) json.Add("multiServiceCalls", call.service_calls);
  return json.ToString();
}

std::string JsonOf(const BalancerDecision& decision) {
  return GsonObject(/*escape_html=*/true)
      .Add("initialFunctionCosts", decision.costs_before)
      .Add("finalFunctionCosts", decision.costs_after)
      .Add("initTotalCost", decision.cost_before)
      .Add("computedTotalCost", decision.cost_after)
      .Add("computedSteps", decision.steps)
      .Add("regionPlans", decision.moves)
      .ToString();
}

std::string JsonOf(const BalancerRejection& rejection) {
  return GsonObject(/*escape_html=*/false)
      .Add("reason", rejection.reason)
      .Add("costFuncInfoList", rejection.costs)
      .ToString();
}

// The servers that a value names: '*' or nil means all, as do no names at all.
absl::StatusOr<std::vector<std::string>> ServersOf(Context& context, const Value& names) {
  const bool all = names.IsNil() || names == Value("*");
  if (!all && names.AsArray() == nullptr && names.AsString() == nullptr) {
    return NotOfType(names, "Array/String");
  }
  return ChosenServers(context, all ? Arguments() : Arguments{names}, 0);
}

template <bool large>
absl::StatusOr<Value> GetSlowCalls(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const Hash filter, FilterArgument(arguments, 1));
  VAQUITA_ASSIGN_OR_RETURN(const SlowCallQuery query, QueryOf(filter, large));
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<std::string> servers, ServersOf(context, arguments[0]));
  std::vector<std::string> records;
  for (const std::string& server : servers) {
    VAQUITA_ASSIGN_OR_RETURN(const std::vector<SlowCall> calls, context.admin.ListSlowCalls(server, query));
    for (const SlowCall& call : calls) records.push_back(JsonOf(call));
  }
  PrintRecords(
      context,
      large ? "Retrieved LargeLog Responses from RegionServers" : "Retrieved SlowLog Responses from RegionServers",
      records);
  return Value();
}

absl::StatusOr<Value> ClearSlowCalls(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<std::string> servers,
                           ServersOf(context, arguments.empty() ? Value() : arguments[0]));
  int cleared = 0;
  for (const std::string& server : servers) {
    VAQUITA_ASSIGN_OR_RETURN(const bool keeps_calls, context.admin.ClearSlowCalls(server));
    if (keeps_calls) ++cleared;
  }
  context.out << "Cleared Slowlog responses from " << cleared << "/" << servers.size() << " RegionServers\n";
  return Value();
}

constexpr int64_t kMostRuns = 250;

absl::StatusOr<Value> GetDecisions(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const Hash filter, FilterArgument(arguments, 0));
  VAQUITA_ASSIGN_OR_RETURN(const int64_t limit, LimitIn(filter, kMostRuns));
  VAQUITA_ASSIGN_OR_RETURN(const auto decisions, context.admin.ListBalancerDecisions(limit));
  std::vector<std::string> records;
  for (const BalancerDecision& decision : decisions) records.push_back(JsonOf(decision));
  PrintRecords(context, "Retrieved BalancerDecision Responses", records);
  return Value();
}

absl::StatusOr<Value> GetRejections(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const Hash filter, FilterArgument(arguments, 0));
  VAQUITA_ASSIGN_OR_RETURN(const int64_t limit, LimitIn(filter, kMostRuns));
  VAQUITA_ASSIGN_OR_RETURN(const auto rejections, context.admin.ListBalancerRejections(limit));
  std::vector<std::string> records;
  for (const BalancerRejection& rejection : rejections) records.push_back(JsonOf(rejection));
  PrintRecords(context, "Retrieved BalancerRejection Responses", records);
  return Value();
}

constexpr Command kRecordCommands[] = {
    {"get_slowlog_responses", 1, 2, GetSlowCalls<false>,
     "Prints the last slow calls of HBase's RPC at region servers: those that took longer than\n"
     "hbase.ipc.warn.response.time. '*' means all servers; filters are joined by OR, or by AND.\n\n  hbase> "
     "get_slowlog_responses '*'\n  hbase> get_slowlog_responses '*', {'LIMIT' => 50}\n  hbase> get_slowlog_responses "
     "['HOST,PORT,STARTCODE'], {'REGION_NAME' => 'hbase:meta,,1'}\n  hbase> get_slowlog_responses '*', {'TABLE_NAME' "
     "=> 't1', 'CLIENT_IP' => '192.162.1.40:60225', 'USER' => 'me', 'FILTER_BY_OP' => 'AND'}\n"},
    {"get_largelog_responses", 1, 2, GetSlowCalls<true>,
     "Prints the last large calls of HBase's RPC at region servers: those whose answer was larger than\n"
     "hbase.ipc.warn.response.size. It takes what get_slowlog_responses takes.\n\n  hbase> get_largelog_responses "
     "'*'\n  hbase> get_largelog_responses '*', {'LIMIT' => 50}\n"},
    {"clear_slowlog_responses", 0, 1, ClearSlowCalls,
     "Forgets the slow and large calls of region servers, of all or of some.\n\n  hbase> clear_slowlog_responses\n  "
     "hbase> clear_slowlog_responses ['HOST,PORT,STARTCODE']\n"},
    {"get_balancer_decisions", 0, 1, GetDecisions,
     "Prints the balancer's last plans, the latest first.\n\n  hbase> get_balancer_decisions\n  hbase> "
     "get_balancer_decisions {'LIMIT' => 10}\n"},
    {"get_balancer_rejections", 0, 1, GetRejections,
     "Prints why the balancer planned nothing in its last runs, the latest first.\n\n  hbase> "
     "get_balancer_rejections\n  hbase> get_balancer_rejections {'LIMIT' => 10}\n"},
};

}  // namespace

std::span<const Command> RecordCommands() { return kRecordCommands; }

}  // namespace vaquita::shell

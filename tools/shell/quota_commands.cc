// Commands over quotas, which a server with hbase.quota.enabled keeps, and Vaquita does not enforce. Source:
// hbase-shell's commands of the group quotas, QuotasAdmin (2.6).
#include <charconv>
#include <map>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "hbase/Quota.pb.h"
#include "proto/hbase/quota_codec.h"
#include "proto/hbase/schema_codec.h"
#include "tools/shell/command.h"
#include "tools/shell/quota_list.h"

namespace vaquita::shell {
namespace {

absl::Status UnexpectedArguments(const Hash& arguments) {
  return ShellError(absl::StrCat("Unexpected arguments: ", Value(arguments).Inspect()));
}

// A number before a unit: "10req/sec" is 10, "req" and "sec"; "1G" is 1 and "g".
struct Amount {
  int64_t number = 0;
  std::string unit;
  std::string time;  // after a '/'
};

// Returns false if the text does not begin with a number.
bool ReadAmount(const std::string& text, Amount* amount) {
  const std::string lower = absl::AsciiStrToLower(text);
  const auto [end, error] = std::from_chars(lower.data(), lower.data() + lower.size(), amount->number);
  if (error != std::errc() || lower.starts_with('-')) return false;
  const std::string rest(end, lower.data() + lower.size());
  const size_t slash = rest.find('/');
  amount->unit = rest.substr(0, slash);
  amount->time = slash == rest.npos ? "" : rest.substr(slash + 1);
  return true;
}

// Returns false if the suffix is not one of a size, or the size is too large.
bool ScaleSize(const std::string& suffix, int64_t* size) {
  constexpr std::string_view kSuffixes = "bkmgtp";
  const size_t power = suffix.size() == 1 ? kSuffixes.find(suffix[0]) : kSuffixes.npos;
  return power != kSuffixes.npos && !__builtin_mul_overflow(*size, int64_t{1} << (10 * power), size);
}

absl::StatusOr<pb::ThrottleType> ThrottleTypeOf(const std::string& name) {
  pb::ThrottleType type;
  if (pb::ThrottleType_Parse(name, &type)) return type;
  return ShellError(absl::StrCat("No enum constant org.apache.hadoop.hbase.quotas.ThrottleType.", name));
}

absl::StatusOr<pb::TimeUnit> TimeUnitOf(const std::string& name) {
  if (name == "sec") return pb::SECONDS;
  if (name == "min") return pb::MINUTES;
  if (name == "hour") return pb::HOURS;
  if (name == "day") return pb::DAYS;
  return ShellError("Invalid throttle limit syntax");
}

// Reads "10req/sec", "5K/min" or "10CU/hour" as a throttle of REQUEST, READ or WRITE.
absl::Status ReadThrottleLimit(const std::string& text, const std::string& kind, pb::ThrottleRequest* throttle) {
  Amount amount;
  if (!ReadAmount(text, &amount)) return ShellError("Invalid throttle limit syntax");
  VAQUITA_ASSIGN_OR_RETURN(const pb::TimeUnit time_unit, TimeUnitOf(amount.time));
  std::string suffix = "_SIZE";
  if (amount.unit == "req") {
    suffix = "_NUMBER";
  } else if (amount.unit == "cu") {
    suffix = "_CAPACITY_UNIT";
  } else if (!ScaleSize(amount.unit, &amount.number)) {
    return ShellError("Invalid throttle limit syntax");
  }
  VAQUITA_ASSIGN_OR_RETURN(const pb::ThrottleType type, ThrottleTypeOf(kind + suffix));
  if (amount.number <= 0) return ShellError("Invalid throttle limit, must be greater than 0");
  throttle->set_type(type);
  throttle->mutable_timed_quota()->set_time_unit(time_unit);
  throttle->mutable_timed_quota()->set_soft_limit(static_cast<uint64_t>(amount.number));
  return absl::OkStatus();
}

absl::Status TakeTable(Hash& arguments, pb::SetQuotaRequest* request) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableArgument(Take(arguments, "TABLE")));
  EncodeTableName(table, request->mutable_table_name());
  return absl::OkStatus();
}

// Takes the owner of a throttle.
absl::Status TakeOwner(Hash& arguments, pb::SetQuotaRequest* request) {
  const bool has_user = Find(arguments, "USER") != nullptr;
  if (has_user) request->set_user_name(Take(arguments, "USER").ToText());
  if (Find(arguments, "TABLE") != nullptr) return TakeTable(arguments, request);
  if (Find(arguments, "NAMESPACE") != nullptr) {
    request->set_namespace_(Take(arguments, "NAMESPACE").ToText());
    return absl::OkStatus();
  }
  if (has_user) return absl::OkStatus();
  if (Find(arguments, "REGIONSERVER") == nullptr) {
    return ShellError("One of USER, TABLE, NAMESPACE or REGIONSERVER must be specified");
  }
  Take(arguments, "REGIONSERVER");  // HBase has a quota for all of them only
  request->set_region_server("all");
  return absl::OkStatus();
}

absl::Status ReadThrottle(Hash& arguments, pb::SetQuotaRequest* request) {
  const Value kind = Take(arguments, "THROTTLE_TYPE");
  const Value limit = Take(arguments, "LIMIT");
  pb::ThrottleRequest* throttle = request->mutable_throttle();
  VAQUITA_RETURN_IF_ERROR(ReadThrottleLimit(limit.ToText(), kind.IsNil() ? "REQUEST" : kind.ToText(), throttle));
  const Value scope_value = Take(arguments, "SCOPE");
  const std::string scope_name = scope_value.IsNil() ? "MACHINE" : absl::AsciiStrToUpper(scope_value.ToText());
  pb::QuotaScope scope;
  if (!pb::QuotaScope_Parse(scope_name, &scope)) {
    return ShellError("Invalid throttle scope, must be either CLUSTER or MACHINE");
  }
  VAQUITA_RETURN_IF_ERROR(TakeOwner(arguments, request));
  if (request->has_region_server() && scope == pb::CLUSTER) {
    return ShellError("Invalid region server throttle scope, must be MACHINE");
  }
  throttle->mutable_timed_quota()->set_scope(scope);
  return arguments.empty() || request->has_region_server() ? absl::OkStatus() : UnexpectedArguments(arguments);
}

// Without a type all throttles of the owner are removed.
absl::Status ReadUnthrottle(Hash& arguments, pb::SetQuotaRequest* request) {
  VAQUITA_RETURN_IF_ERROR(TakeOwner(arguments, request));
  pb::ThrottleRequest* throttle = request->mutable_throttle();
  if (Find(arguments, "THROTTLE_TYPE") == nullptr) {
    return arguments.empty() ? absl::OkStatus() : UnexpectedArguments(arguments);
  }
  VAQUITA_ASSIGN_OR_RETURN(const pb::ThrottleType type, ThrottleTypeOf(Take(arguments, "THROTTLE_TYPE").ToText()));
  throttle->set_type(type);
  return absl::OkStatus();
}

absl::Status TakeSpaceOwner(Hash& arguments, pb::SetQuotaRequest* request) {
  const bool has_table = Find(arguments, "TABLE") != nullptr;
  const bool has_namespace = Find(arguments, "NAMESPACE") != nullptr;
  if (has_table && has_namespace) return ShellError("Only one of TABLE or NAMESPACE can be specified.");
  if (has_table) return TakeTable(arguments, request);
  if (!has_namespace) return ShellError("One of TABLE or NAMESPACE must be specified.");
  request->set_namespace_(Take(arguments, "NAMESPACE").ToText());
  return absl::OkStatus();
}

absl::Status ReadSpace(Hash& arguments, pb::SetQuotaRequest* request) {
  const Value* limit = Find(arguments, "LIMIT");
  pb::SpaceQuota* space = request->mutable_space_limit()->mutable_quota();
  if (limit != nullptr && *limit == Value("NONE")) {
    space->set_remove(true);
    return TakeSpaceOwner(arguments, request);
  }
  if (limit == nullptr) return ShellError("Expected a LIMIT to be provided");
  const Value* policy = Find(arguments, "POLICY");
  if (policy == nullptr) return ShellError("Expected a POLICY to be provided");
  Amount amount;
  if (const int64_t* number = limit->AsInteger()) {
    amount.number = *number;
  } else if (!ReadAmount(limit->ToText(), &amount) || !amount.time.empty() ||
             (!amount.unit.empty() && !ScaleSize(amount.unit, &amount.number))) {
    return ShellError("Invalid size limit syntax");
  }
  if (amount.number <= 0) return ShellError("Invalid space limit, must be greater than 0");
  pb::SpaceViolationPolicy violation;
  if (!pb::SpaceViolationPolicy_Parse(policy->ToText(), &violation)) {
    return ShellError(
        absl::StrCat("No enum constant org.apache.hadoop.hbase.quotas.SpaceViolationPolicy.", policy->ToText()));
  }
  space->set_soft_limit(static_cast<uint64_t>(amount.number));
  space->set_violation_policy(violation);
  return TakeSpaceOwner(arguments, request);
}

absl::Status ReadBypass(Hash& arguments, pb::SetQuotaRequest* request) {
  request->set_bypass_globals(Take(arguments, "GLOBAL_BYPASS").IsTruthy());
  if (Find(arguments, "USER") == nullptr) return ShellError("Expected USER");
  request->set_user_name(Take(arguments, "USER").ToText());
  return arguments.empty() ? absl::OkStatus() : UnexpectedArguments(arguments);
}

absl::Status ReadQuota(Hash& arguments, pb::SetQuotaRequest* request) {
  if (Find(arguments, "TYPE") == nullptr) {
    if (Find(arguments, "GLOBAL_BYPASS") == nullptr) return ShellError("Expected TYPE argument");
    return ReadBypass(arguments, request);
  }
  const std::string type = Take(arguments, "TYPE").ToText();
  if (type == "SPACE") return ReadSpace(arguments, request);
  if (type != "THROTTLE") return ShellError(absl::StrCat("Invalid TYPE argument. got ", type));
  const Value* limit = Find(arguments, "LIMIT");
  if (limit == nullptr || *limit != Value("NONE")) return ReadThrottle(arguments, request);
  Take(arguments, "LIMIT");
  return ReadUnthrottle(arguments, request);
}

absl::StatusOr<Value> SetQuota(Context& context, Arguments& arguments) {
  Hash quota;
  if (!arguments.empty() && arguments[0].AsHash() != nullptr) quota = *arguments[0].AsHash();
  pb::SetQuotaRequest request;
  VAQUITA_RETURN_IF_ERROR(ReadQuota(quota, &request));
  const absl::Status set = context.admin.SetQuota(request.SerializeAsString());
  if (IsError(set, ErrorKind::kUnsupportedOperation) &&
      StdText(set.message()).find("quota support disabled") != std::string_view::npos) {
    return ShellError("Quota Support disabled. Please enable in configuration.");
  }
  return NilOr(set);
}

absl::StatusOr<Value> PrintQuotaList(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(Hash options, OptionsArgument(arguments, 0));
  context.formatter.Header({"OWNER", "QUOTAS"});
  const Value limit = Take(options, "LIMIT");
  QuotaFilter filter;
  for (const auto& [key, text] :
       {std::pair("USER", &filter.user), {"TABLE", &filter.table}, {"NAMESPACE", &filter.ns}}) {
    if (Find(options, key) != nullptr) *text = Take(options, key).ToText();
  }
  if (!options.empty()) return UnexpectedArguments(options);
  VAQUITA_ASSIGN_OR_RETURN(std::vector<QuotaLine> lines, ListQuotas(context, filter));
  const int64_t* most = limit.AsInteger();
  if (most != nullptr && *most > 0 && std::cmp_greater(lines.size(), *most)) lines.resize(static_cast<size_t>(*most));
  for (const QuotaLine& line : lines) context.formatter.Row({line.owner, line.quota});
  context.formatter.Footer(static_cast<int64_t>(lines.size()));
  return Value();
}

absl::StatusOr<Value> ListTableSizes(Context& context, Arguments&) {
  VAQUITA_ASSIGN_OR_RETURN(const auto sizes, context.admin.QuotaTableSizes());
  context.formatter.Header({"TABLE", "SIZE"});
  for (const auto& [table, bytes] : sizes) context.formatter.Row({table.ToString(), absl::StrCat(bytes)});
  context.formatter.Footer(static_cast<int64_t>(sizes.size()));
  return Value();
}

absl::Status PrintSnapshot(Context& context, const TableName& table, const std::string& value) {
  pb::SpaceQuotaSnapshot snapshot;
  if (!ParseMessage(value, &snapshot)) {
    return absl::DataLossError(absl::StrCat("hbase:quota: the use of space by ", table.ToString(), " is unreadable"));
  }
  const pb::SpaceQuotaStatus& status = snapshot.quota_status();
  context.formatter.Row({table.ToString(), absl::StrCat(snapshot.quota_usage()), absl::StrCat(snapshot.quota_limit()),
                         status.in_violation() ? "true" : "false",
                         status.in_violation() ? pb::SpaceViolationPolicy_Name(status.violation_policy()) : "None"});
  return absl::OkStatus();
}

// A region server of Vaquita has none; the others are in the table.
absl::StatusOr<Value> ListQuotaSnapshots(Context& context, Arguments& arguments) {
  Hash filter;
  if (!arguments.empty() && arguments[0].AsHash() != nullptr) filter = *arguments[0].AsHash();
  context.formatter.Header({"TABLE", "USAGE", "LIMIT", "IN_VIOLATION", "POLICY"});
  if (Find(filter, "REGIONSERVER") != nullptr) {
    context.formatter.Footer(0);
    return Value();
  }
  const Value table_wanted = Take(filter, "TABLE");
  const Value namespace_wanted = Take(filter, "NAMESPACE");
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<Cell> cells, ReadQuotaCells(context, kQuotaUsageFamily));
  int64_t count = 0;
  for (const Cell& cell : cells) {
    if (!cell.row.starts_with(kQuotaTableRow) || cell.qualifier != kQuotaUsageQualifier) continue;
    VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableName::Parse(cell.row.substr(kQuotaTableRow.size())));
    if (!table_wanted.IsNil() && table_wanted.ToText() != table.qualifier) continue;
    if (!namespace_wanted.IsNil() && namespace_wanted.ToText() != table.ns) continue;
    VAQUITA_RETURN_IF_ERROR(PrintSnapshot(context, table, cell.value));
    ++count;
  }
  context.formatter.Footer(count);
  return Value();
}

absl::StatusOr<Value> ListSnapshotSizes(Context& context, Arguments&) {
  constexpr std::string_view kPrefix = "ss";  // before the snapshot's name
  context.formatter.Header({"SNAPSHOT", "SIZE"});
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<Cell> cells, ReadQuotaCells(context, kQuotaUsageFamily));
  std::map<std::string, uint64_t> sizes;
  for (const Cell& cell : cells) {
    pb::SpaceQuotaSnapshot snapshot;
    if (!cell.row.starts_with(kQuotaTableRow) || !cell.qualifier.starts_with(kPrefix)) continue;
    if (ParseMessage(cell.value, &snapshot)) sizes[cell.qualifier.substr(kPrefix.size())] = snapshot.quota_usage();
  }
  for (const auto& [snapshot, bytes] : sizes) context.formatter.Row({snapshot, absl::StrCat(bytes)});
  context.formatter.Footer(static_cast<int64_t>(sizes.size()));
  return Value();
}

template <bool on>
absl::StatusOr<Value> SwitchRpcThrottle(Context& context, Arguments&) {
  VAQUITA_ASSIGN_OR_RETURN(const bool before, context.admin.SwitchRpcThrottle(on));
  return PrintFlag(context, before, "Previous rpc throttle state : ");
}

template <bool on>
absl::StatusOr<Value> SwitchExceedThrottle(Context& context, Arguments&) {
  VAQUITA_ASSIGN_OR_RETURN(const bool before, context.admin.SwitchExceedThrottleQuota(on));
  return PrintFlag(context, before, "Previous exceed throttle quota enabled : ");
}

constexpr Command kQuotaCommands[] = {
    {"set_quota", 0, 1, SetQuota,
     "Sets or removes a quota of a user, a table, a namespace or the region servers. A server with\n"
     "hbase.quota.enabled keeps it; Vaquita does not enforce it.\n\n"
     "  hbase> set_quota TYPE => THROTTLE, USER => 'u1', LIMIT => '10req/sec'\n"
     "  hbase> set_quota TYPE => THROTTLE, THROTTLE_TYPE => WRITE, TABLE => 't1', LIMIT => '10M/min', SCOPE => "
     "CLUSTER\n"
     "  hbase> set_quota TYPE => THROTTLE, USER => 'u1', TABLE => 't1', LIMIT => NONE\n"
     "  hbase> set_quota TYPE => THROTTLE, REGIONSERVER => 'all', LIMIT => '30000req/sec'\n"
     "  hbase> set_quota TYPE => SPACE, TABLE => 't1', LIMIT => '1G', POLICY => NO_INSERTS\n"
     "  hbase> set_quota TYPE => SPACE, NAMESPACE => 'ns1', LIMIT => NONE\n"
     "  hbase> set_quota USER => 'u1', GLOBAL_BYPASS => true\n"},
    {"list_quotas", 0, 1, PrintQuotaList,
     "Lists the quotas, or those of owners whose names match regular expressions.\n\n  hbase> list_quotas\n"
     "  hbase> list_quotas USER => 'bob.*', TABLE => 't1'\n  hbase> list_quotas NAMESPACE => 'ns.*'\n"},
    {"list_quota_table_sizes", 0, 1, ListTableSizes,
     "Lists the bytes in files of each table. Where quotas are off it lists none.\n\n  hbase> "
     "list_quota_table_sizes\n"},
    {"list_quota_snapshots", 0, 1, ListQuotaSnapshots,
     "Lists how much of their quotas of space tables use. The master counts it every minute.\n\n"
     "  hbase> list_quota_snapshots\n  hbase> list_quota_snapshots({NAMESPACE => 'ns1'})\n"},
    {"list_snapshot_sizes", 0, 1, ListSnapshotSizes,
     "Lists the sizes of snapshots in hbase:quota. Vaquita counts none.\n\n  hbase> list_snapshot_sizes\n"},
    {"enable_rpc_throttle", 0, 0, SwitchRpcThrottle<true>,
     "Turns throttling by quotas on, and prints what it was. Vaquita keeps the switch, and throttles nothing.\n\n"
     "  hbase> enable_rpc_throttle\n"},
    {"disable_rpc_throttle", 0, 0, SwitchRpcThrottle<false>,
     "Turns throttling by quotas off, and prints what it was.\n\n  hbase> disable_rpc_throttle\n"},
    {"enable_exceed_throttle_quota", 0, 0, SwitchExceedThrottle<true>,
     "Lets quotas be exceeded while the region servers' quota is not, and prints what it was. Vaquita keeps the "
     "switch,\nand throttles nothing.\n\n  hbase> enable_exceed_throttle_quota\n"},
    {"disable_exceed_throttle_quota", 0, 0, SwitchExceedThrottle<false>,
     "Lets quotas not be exceeded any more.\n\n  hbase> disable_exceed_throttle_quota\n"},
};

}  // namespace

std::span<const Command> QuotaCommands() { return kQuotaCommands; }

}  // namespace vaquita::shell

#include "server/master/meta/quota_table.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/log.h"
#include "base/status.h"
#include "hbase/Quota.pb.h"
#include "model/row_after_prefix.h"
#include "proto/hbase/quota_codec.h"
#include "proto/hbase/schema_codec.h"
#include "server/master/meta/cell_writes.h"
#include "server/master/meta/scan_all.h"

namespace vaquita {
namespace {

constexpr char kRpcThrottle[] = "rpc_throttle";  // the switch's name in master:store

std::string Row(std::string_view prefix, std::string_view name) {
  return absl::StrCat(AbslText(prefix), AbslText(name));
}

// The cell of family q that has an owner's quota, and the owner in words.
struct Owner {
  std::string row;
  std::string qualifier{kQuotaQualifier};
  std::string text;
  bool shares_row = false;  // with other quotas
};

absl::StatusOr<Owner> OwnerOf(const pb::SetQuotaRequest& request) {
  TableName table;
  if (request.has_table_name()) {
    VAQUITA_ASSIGN_OR_RETURN(table, DecodeTableName(request.table_name()));
  }
  if (request.has_user_name()) {
    Owner owner{.row = Row(kQuotaUserRow, request.user_name()), .text = "user " + request.user_name()};
    std::string within;
    if (request.has_table_name()) {
      within = table.ToString();
    } else if (request.has_namespace_()) {
      within = request.namespace_() + ":";
    }
    if (within.empty()) return owner;
    absl::StrAppend(&owner.qualifier, ".", within);
    absl::StrAppend(&owner.text, " in ", within);
    owner.shares_row = true;
    return owner;
  }
  if (request.has_table_name()) {
    return Owner{.row = Row(kQuotaTableRow, table.ToString()), .text = "table " + table.ToString()};
  }
  if (request.has_namespace_()) {
    return Owner{.row = Row(kQuotaNamespaceRow, request.namespace_()), .text = "namespace " + request.namespace_()};
  }
  if (request.has_region_server()) {
    return Owner{.row = Row(kQuotaServerRow, request.region_server()),
                 .text = "region servers " + request.region_server()};
  }
  return Error(ErrorKind::kUnsupportedOperation, "a user, a table, a namespace or region server must be specified");
}

// Source: QuotaSettings.buildFromProto, QuotaSettingsFactory.fromSpace.
absl::Status CheckRequest(const pb::SetQuotaRequest& request) {
  const int kinds =
      (request.has_bypass_globals() ? 1 : 0) + (request.has_space_limit() ? 1 : 0) + (request.has_throttle() ? 1 : 0);
  if (kinds != 1) {
    return Error(
        ErrorKind::kIllegalArgument,
        absl::StrCat("a SetQuotaRequest must have one of bypass_globals, space_limit and throttle; it has ", kinds));
  }
  if (!request.has_space_limit()) return absl::OkStatus();
  if (!request.space_limit().has_quota()) {
    return Error(ErrorKind::kIllegalArgument, "SpaceLimitRequest is missing the expected SpaceQuota.");
  }
  if (request.has_user_name() || request.has_table_name() == request.has_namespace_()) {
    return Error(ErrorKind::kIllegalArgument, "Can only construct SpaceLimitSettings for a table or namespace.");
  }
  return absl::OkStatus();
}

bool HasThrottle(const pb::Throttle& throttle) {
  for (int type = pb::ThrottleType_MIN; type <= pb::ThrottleType_MAX; ++type) {
    if (FindThrottle(throttle, type) != nullptr) return true;
  }
  return false;
}

absl::Status MergeThrottle(const pb::ThrottleRequest& request, pb::Quotas* quotas) {
  if (request.has_type() && request.has_timed_quota()) {
    if (request.timed_quota().soft_limit() < 1) {
      return Error(ErrorKind::kUnsupportedOperation,
                   absl::StrCat("The throttle limit must be greater then 0, got ", request.timed_quota().soft_limit()));
    }
    *AddThrottle(request.type(), quotas->mutable_throttle()) = request.timed_quota();
    return absl::OkStatus();
  }
  if (request.has_type() && !request.has_timed_quota() && quotas->has_throttle()) {
    ClearThrottle(request.type(), quotas->mutable_throttle());
    if (HasThrottle(quotas->throttle())) return absl::OkStatus();
  }
  quotas->clear_throttle();
  return absl::OkStatus();
}

absl::Status Merge(const pb::SetQuotaRequest& request, pb::Quotas* quotas) {
  if (request.has_bypass_globals()) quotas->set_bypass_globals(request.bypass_globals());
  if (request.has_space_limit()) {
    const pb::SpaceQuota& space = request.space_limit().quota();
    if (space.remove()) {
      quotas->clear_space();
    } else {
      quotas->mutable_space()->MergeFrom(space);
    }
  }
  return request.has_throttle() ? MergeThrottle(request.throttle(), quotas) : absl::OkStatus();
}

bool IsEmpty(const pb::Quotas& quotas) {
  return !quotas.has_throttle() && !quotas.has_space() && !quotas.has_bypass_globals();
}

// Requests may exceed their owners' quotas while the region servers have some left, so these need quotas that are soon
// full again. Source: QuotaUtil.checkRSQuotaToEnableExceedThrottle.
absl::Status CheckServerQuota(const pb::Quotas& quotas) {
  const pb::Throttle& throttle = quotas.throttle();
  if (!quotas.has_throttle()) {
    return Error(ErrorKind::kDoNotRetryIO, "Please set region server quota before enable exceed throttle quota");
  }
  const bool both = throttle.has_req_num() || throttle.has_req_size() || throttle.has_req_capacity_unit();
  if (!both && !throttle.has_read_num() && !throttle.has_read_size() && !throttle.has_read_capacity_unit()) {
    return Error(ErrorKind::kDoNotRetryIO,
                 "Please set at least one read region server quota before enable exceed throttle quota");
  }
  if (!both && !throttle.has_write_num() && !throttle.has_write_size() && !throttle.has_write_capacity_unit()) {
    return Error(ErrorKind::kDoNotRetryIO,
                 "Please set at least one write region server quota before enable exceed throttle quota");
  }
  for (int type = pb::ThrottleType_MIN; type <= pb::ThrottleType_MAX; ++type) {
    const pb::TimedQuota* quota = FindThrottle(throttle, type);
    if (quota == nullptr || quota->time_unit() == pb::SECONDS) continue;
    return Error(ErrorKind::kDoNotRetryIO,
                 "All region server quota must be in seconds time unit if enable exceed throttle quota");
  }
  return absl::OkStatus();
}

}  // namespace

void EncodeSpaceUse(const QuotaTable::SpaceUse& use, pb::SpaceQuotaSnapshot* out) {
  out->mutable_quota_status()->set_in_violation(use.exceeded());
  if (use.exceeded()) {
    out->mutable_quota_status()->set_violation_policy(static_cast<pb::SpaceViolationPolicy>(use.policy));
  }
  out->set_quota_usage(static_cast<uint64_t>(use.used));
  out->set_quota_limit(static_cast<uint64_t>(use.limit));
}

const RegionInfo& QuotaTable::Info() {
  static const RegionInfo info{.table = kQuotaTableName, .start_key = "", .end_key = "", .id = 1};
  return info;
}

std::shared_ptr<const TableDescriptor> QuotaTable::Descriptor() {
  auto table = std::make_shared<TableDescriptor>();
  table->name = kQuotaTableName;
  for (const std::string_view name : {kQuotaFamily, kQuotaUsageFamily}) {
    FamilyDescriptor& family = table->families[std::string(name)];
    family.name = name;
    family.max_versions = 1;
  }
  return table;
}

absl::StatusOr<std::unique_ptr<QuotaTable>> QuotaTable::Load(std::shared_ptr<Region> region, MasterStore* store,
                                                             Clock* clock) {
  std::unique_ptr<QuotaTable> quotas(new QuotaTable(std::move(region), store, clock));
  VAQUITA_RETURN_IF_ERROR(ObserveAll(*quotas->region_, &quotas->clock_));
  return quotas;
}

absl::Status QuotaTable::Set(std::string_view bytes) {
  pb::SetQuotaRequest request;
  if (!ParseMessage(bytes, &request)) {
    return Error(ErrorKind::kIllegalArgument, "the quota is not a message SetQuotaRequest of HBase");
  }
  VAQUITA_ASSIGN_OR_RETURN(const Owner owner, OwnerOf(request));
  std::lock_guard lock(mutex_);
  pb::Quotas quotas;
  VAQUITA_ASSIGN_OR_RETURN(const std::string before, Read(owner.row, owner.qualifier));
  if (!before.empty() && !request.remove_all()) {
    VAQUITA_RETURN_IF_ERROR(Annotate(DecodeQuotas(before, &quotas), "the quota of " + owner.text));
  }
  if (!request.remove_all()) {
    VAQUITA_RETURN_IF_ERROR(CheckRequest(request));
    VAQUITA_RETURN_IF_ERROR(Merge(request, &quotas));
  }
  if (!IsEmpty(quotas)) {
    VAQUITA_RETURN_IF_ERROR(Put(owner.row, kQuotaFamily, owner.qualifier, EncodeQuotas(quotas)));
    spdlog::warn("the quota of {} is kept, and not enforced", owner.text);
    return absl::OkStatus();
  }
  return owner.shares_row ? Delete(owner.row, kQuotaFamily, owner.qualifier) : DeleteRow(owner.row);
}

absl::Status QuotaTable::ForgetTable(const TableName& table) {
  const std::string row = Row(kQuotaTableRow, table.ToString());
  std::lock_guard lock(mutex_);
  VAQUITA_ASSIGN_OR_RETURN(const std::string quota, Read(row, kQuotaQualifier));
  return quota.empty() ? absl::OkStatus() : DeleteRow(row);
}

absl::Status QuotaTable::ForgetNamespace(std::string_view ns) {
  const std::string row = Row(kQuotaNamespaceRow, ns);
  std::lock_guard lock(mutex_);
  VAQUITA_ASSIGN_OR_RETURN(const std::string quota, Read(row, kQuotaQualifier));
  return quota.empty() ? absl::OkStatus() : DeleteRow(row);
}

absl::Status QuotaTable::ForgetAll() {
  std::lock_guard lock(mutex_);
  VAQUITA_ASSIGN_OR_RETURN(const ResultBatch batch, ScanAll(*region_, Scan()));
  std::set<std::string> rows;
  for (size_t i = 0; i < batch.cells.size(); ++i) rows.emplace(batch.cells[i].row);
  for (const std::string& row : rows) VAQUITA_RETURN_IF_ERROR(DeleteRow(row));
  VAQUITA_ASSIGN_OR_RETURN(const bool throttles, IsRpcThrottleOn());
  return throttles ? absl::OkStatus() : store_->SetSwitch(kRpcThrottle, true);
}

absl::StatusOr<bool> QuotaTable::IsRpcThrottleOn() const { return store_->GetSwitch(kRpcThrottle, true); }

absl::StatusOr<bool> QuotaTable::SwitchRpcThrottle(bool on) {
  std::lock_guard lock(mutex_);
  VAQUITA_ASSIGN_OR_RETURN(const bool before, IsRpcThrottleOn());
  if (before != on) VAQUITA_RETURN_IF_ERROR(store_->SetSwitch(kRpcThrottle, on));
  return before;
}

absl::StatusOr<bool> QuotaTable::SwitchExceedThrottle(bool on) {
  std::lock_guard lock(mutex_);
  VAQUITA_ASSIGN_OR_RETURN(const std::string value, Read(kExceedThrottleRow, kQuotaQualifier));
  const bool before = !value.empty() && value != std::string_view("\0", 1);
  if (before == on) return before;
  if (on) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string servers, Read(Row(kQuotaServerRow, "all"), kQuotaQualifier));
    pb::Quotas quotas;
    if (!servers.empty()) VAQUITA_RETURN_IF_ERROR(DecodeQuotas(servers, &quotas));
    VAQUITA_RETURN_IF_ERROR(CheckServerQuota(quotas));
  }
  // Bytes.toBytes(boolean)
  VAQUITA_RETURN_IF_ERROR(Put(kExceedThrottleRow, kQuotaFamily, kQuotaQualifier, std::string(1, on ? '\xff' : '\0')));
  return before;
}

absl::StatusOr<QuotaTable::SpaceUses> QuotaTable::CountSpace(const std::map<TableName, int64_t>& sizes,
                                                             const std::set<TableName>& in_part) const {
  Scan scan;
  scan.columns[std::string(kQuotaFamily)] = {std::string(kQuotaQualifier)};
  VAQUITA_ASSIGN_OR_RETURN(const ResultBatch batch, ScanAll(*region_, scan));
  SpaceUses uses;
  std::map<std::string, SpaceUse, std::less<>> own;  // by the table's name
  for (size_t i = 0; i < batch.cells.size(); ++i) {
    const CellView cell = batch.cells[i];
    pb::Quotas quotas;
    if (!DecodeQuotas(cell.value, &quotas).ok() || !quotas.has_space()) continue;
    const SpaceUse use{.limit = static_cast<int64_t>(quotas.space().soft_limit()),
                       .policy = quotas.space().violation_policy()};
    // Clients may write other rows.
    if (const std::string_view row = cell.row; row.starts_with(kQuotaTableRow)) {
      own[std::string(row.substr(kQuotaTableRow.size()))] = use;
    } else if (row.starts_with(kQuotaNamespaceRow)) {
      uses.namespaces[std::string(row.substr(kQuotaNamespaceRow.size()))] = use;
    }
  }
  for (const auto& [table, bytes] : sizes) {
    if (const auto found = uses.namespaces.find(table.ns); found != uses.namespaces.end()) found->second.used += bytes;
  }
  for (const TableName& table : in_part) {
    if (own.contains(table.ToString()) || uses.namespaces.contains(table.ns)) uses.unknown.insert(table);
  }
  for (const auto& [table, bytes] : sizes) {
    if (in_part.contains(table)) continue;
    const auto of_namespace = uses.namespaces.find(table.ns);
    if (const auto found = own.find(table.ToString()); found != own.end()) {
      uses.tables[table] = found->second;
      uses.tables[table].used = bytes;
    } else if (of_namespace != uses.namespaces.end()) {
      uses.tables[table] = of_namespace->second;
    }
  }
  return uses;
}

absl::Status QuotaTable::NoteSpace(const std::map<TableName, int64_t>& sizes, const std::set<TableName>& in_part) {
  std::lock_guard lock(mutex_);
  VAQUITA_ASSIGN_OR_RETURN(const SpaceUses uses, CountSpace(sizes, in_part));
  Scan scan;
  scan.rows = RowsWithPrefix(kQuotaTableRow);
  scan.columns[std::string(kQuotaUsageFamily)] = {std::string(kQuotaUsageQualifier)};
  VAQUITA_ASSIGN_OR_RETURN(const ResultBatch batch, ScanAll(*region_, scan));
  std::map<std::string, std::string> noted;  // by row
  for (size_t i = 0; i < batch.cells.size(); ++i) noted.emplace(batch.cells[i].row, batch.cells[i].value);
  for (const TableName& table : uses.unknown) noted.erase(Row(kQuotaTableRow, table.ToString()));
  for (const auto& [table, use] : uses.tables) {
    const std::string row = Row(kQuotaTableRow, table.ToString());
    pb::SpaceQuotaSnapshot snapshot;
    EncodeSpaceUse(use, &snapshot);
    std::string value = snapshot.SerializeAsString();
    const auto before = noted.find(row);
    const bool same = before != noted.end() && before->second == value;
    if (before != noted.end()) noted.erase(before);
    if (!same) VAQUITA_RETURN_IF_ERROR(Put(row, kQuotaUsageFamily, kQuotaUsageQualifier, std::move(value)));
  }
  for (const auto& [row, value] : noted) {
    VAQUITA_RETURN_IF_ERROR(Delete(row, kQuotaUsageFamily, kQuotaUsageQualifier));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> QuotaTable::Read(std::string_view row, std::string_view qualifier) const {
  Get get;
  get.row = row;
  get.columns[std::string(kQuotaFamily)] = {std::string(qualifier)};
  CellBlock cells;
  VAQUITA_RETURN_IF_ERROR(Annotate(region_->Get(get, &cells), "hbase:quota"));
  return cells.empty() ? std::string() : std::string(cells[0].value);
}

absl::Status QuotaTable::Put(std::string_view row, std::string_view family, std::string_view qualifier,
                             std::string value) {
  return Annotate(PutCell(*region_, row, family, qualifier, std::move(value), clock_.NextMs()), "hbase:quota");
}

absl::Status QuotaTable::Delete(std::string_view row, std::string_view family, std::string_view qualifier) {
  return Annotate(DeleteCells(*region_, row, family, qualifier, clock_.NextMs()), "hbase:quota");
}

}  // namespace vaquita

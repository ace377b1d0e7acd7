// Quotas: kept by hbase:quota's rows, and the space that is used, as region servers report it.
#include <map>
#include <set>

#include "base/status.h"
#include "server/master/master.h"

namespace vaquita {
namespace {

constexpr size_t kPercentReported = 95;  // hbase.master.quotas.region.report.percent

}  // namespace

absl::Status Master::SetQuota(std::string_view request) {
  VAQUITA_RETURN_IF_ERROR(CheckInitialized());
  if (!KeepsQuotas()) return Error(ErrorKind::kUnsupportedOperation, "quota support disabled");
  return parts_.quotas->Set(request);
}

absl::StatusOr<bool> Master::SwitchRpcThrottle(bool on) {
  return KeepsQuotas() ? parts_.quotas->SwitchRpcThrottle(on) : false;
}

absl::StatusOr<bool> Master::IsRpcThrottleOn() const {
  return KeepsQuotas() ? parts_.quotas->IsRpcThrottleOn() : false;
}

absl::StatusOr<bool> Master::SwitchExceedThrottleQuota(bool on) {
  return KeepsQuotas() ? parts_.quotas->SwitchExceedThrottle(on) : false;
}

absl::Status Master::ForgetQuotas() { return KeepsQuotas() ? parts_.quotas->ForgetAll() : absl::OkStatus(); }

std::map<TableName, int64_t> Master::QuotaTableSizes() const {
  std::map<TableName, int64_t> sizes;
  if (!KeepsQuotas()) return sizes;
  for (const ServerMetrics& server : parts_.servers.Metrics()) {
    for (const RegionMetrics& region : server.regions) sizes[region.info.table] += region.store_file_bytes;
  }
  return sizes;
}

absl::StatusOr<QuotaTable::SpaceUses> Master::QuotaUses() const {
  if (!KeepsQuotas()) return QuotaTable::SpaceUses{};
  return parts_.quotas->CountSpace(QuotaTableSizes(), TablesReportedInPart());
}

absl::Status Master::NoteQuotaUses() {
  if (!KeepsQuotas()) return absl::OkStatus();
  return parts_.quotas->NoteSpace(QuotaTableSizes(), TablesReportedInPart());
}

std::set<TableName> Master::TablesReportedInPart() const {
  std::map<TableName, size_t> reported;
  for (const ServerMetrics& server : parts_.servers.Metrics()) {
    for (const RegionMetrics& region : server.regions) reported[region.info.table] += region.info.replica_id == 0;
  }
  std::set<TableName> tables;
  for (const auto& [table, regions] : parts_.catalog.CountRegionsOfTables()) {
    if (100 * reported[table] < kPercentReported * regions) tables.insert(table);
  }
  return tables;
}

}  // namespace vaquita

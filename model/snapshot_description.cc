#include "model/snapshot_description.h"

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "model/legal_name.h"

namespace vaquita {

std::string_view SnapshotTypeName(SnapshotType type) {
  switch (type) {
    case SnapshotType::kDisabled:
      return "DISABLED";
    case SnapshotType::kFlush:
      return "FLUSH";
    case SnapshotType::kSkipFlush:
      break;
  }
  return "SKIPFLUSH";
}

bool SnapshotDescription::Expired(int64_t now_ms) const {
  return created_ms > 0 && ttl_s > 0 && ttl_s < kMaxSnapshotTtlSeconds && ttl_s * 1000 < now_ms - created_ms;
}

std::string SnapshotDescription::ToString() const {
  return absl::StrCat("{ ss=", name, " table=", table.qualifier.empty() ? "" : table.ToString(),
                      " type=", AbslText(SnapshotTypeName(type)), " ttl=", ttl_s, " }");
}

absl::Status CheckSnapshotRequest(std::string_view name, const TableName& table) {
  VAQUITA_RETURN_IF_ERROR(CheckQualifier(name, QualifierOf::kSnapshot));
  if (table.IsSystem()) return Error(ErrorKind::kIllegalArgument, "System table snapshots are not allowed");
  return absl::OkStatus();
}

}  // namespace vaquita

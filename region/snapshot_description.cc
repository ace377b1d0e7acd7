#include "region/snapshot_description.h"

#include "absl/strings/str_cat.h"
#include "engine/absl_text.h"
#include "engine/status.h"

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

absl::Status CheckSnapshotName(std::string_view name) {
  if (name.empty()) return Error(ErrorKind::kIllegalArgument, "Snapshot qualifier must not be empty");
  if (name.find(':') != name.npos) {
    return Error(ErrorKind::kIllegalArgument, "Illegal character <:> in the snapshot's name " + std::string(name));
  }
  return TableName::Parse(name).status();
}

}  // namespace vaquita

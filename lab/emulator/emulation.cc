#include "lab/emulator/emulation.h"

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "lab/emulator/emulator_run.h"

namespace vaquita::lab {
namespace {

absl::Status Refuse(const char* what, double value, const char* right) {
  return absl::InvalidArgumentError(absl::StrCat(what, " ", value, ": it must be ", right));
}

constexpr double kMostDurationMs = 100 * 365 * 86'400'000.0;
constexpr double kMostLoadBytes = 1e18;  // sizes are whole numbers here and there
constexpr double kCellOverhead = 100;

absl::Status Check(const EmulatedCluster& cluster, const EmulatedLoad& load) {
  if (cluster.servers < 1 || cluster.servers > 100'000) {
    return Refuse("number of servers", cluster.servers, "from 1 to 100000");
  }
  if (cluster.heap_bytes < (64 << 20)) {
    return Refuse("heap of", static_cast<double>(cluster.heap_bytes), "at least 64 MB");
  }
  if (!(cluster.disk_bytes_per_s >= 1e3)) return Refuse("disk speed", cluster.disk_bytes_per_s, "at least 1 KB/s");
  if (!(load.records >= 1)) return Refuse("number of records", load.records, "at least 1");
  if (!(load.duration_ms >= 1 && load.duration_ms <= kMostDurationMs)) {
    return Refuse("duration in ms", load.duration_ms, "from 1 to 3153600000000, 100 years");
  }
  if (!(load.compressed_share > 0 && load.compressed_share <= 1)) {
    return Refuse("compression ratio", load.compressed_share, "over 0, at most 1");
  }
  if (load.families.empty()) return absl::InvalidArgumentError("a table needs at least one family");
  double bytes = 0;
  for (const EmulatedFamily& family : load.families) {
    if (family.columns < 1) return Refuse("number of columns", family.columns, "at least 1");
    if (!(family.value_bytes >= 0)) return Refuse("bytes of a value", family.value_bytes, "0 or more");
    if (!(family.qualifier_bytes >= 0)) return Refuse("bytes of a column's name", family.qualifier_bytes, "0 or more");
    bytes += load.records * family.columns * (family.value_bytes + family.qualifier_bytes + kCellOverhead);
  }
  if (!(bytes <= kMostLoadBytes)) return Refuse("bytes of all records", bytes, "at most 1e18");
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Emulation> Emulate(const EmulatedCluster& cluster, const EmulatedLoad& load, const KeySample& sample,
                                  const SplitKeys& splits, const std::function<void(double)>& progress) {
  VAQUITA_RETURN_IF_ERROR(Check(cluster, load));
  return EmulatorRun(cluster, load, sample, splits, progress).Run();
}

}  // namespace vaquita::lab

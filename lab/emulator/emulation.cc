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

// HBase's checks of a server's heap (MemorySizeUtil) and of a new table (TableDescriptorChecker).
absl::Status CheckAsHBase(const HBaseSettings& settings, const EmulatedLoad& load) {
  const auto percent = [](double share) { return static_cast<int>(static_cast<float>(share) * 100); };
  constexpr int kMostPercent = 80;
  if (percent(settings.global_memstore_share) + percent(settings.block_cache_share) > kMostPercent) {
    return Refuse("hbase.regionserver.global.memstore.size + hfile.block.cache.size",
                  settings.global_memstore_share + settings.block_cache_share,
                  "at most 0.8, or HBase's servers do not start");
  }
  constexpr int64_t kLeastFlushBytes = 1 << 20;
  constexpr int64_t kLeastFileBytes = 2 << 20;
  const int64_t flush_bytes = load.table_flush_bytes > 0 ? load.table_flush_bytes : settings.memstore_flush_bytes;
  if (flush_bytes < kLeastFlushBytes) {
    return Refuse("flush size of", static_cast<double>(flush_bytes), "at least 1 MiB, or HBase makes no such table");
  }
  const int64_t file_bytes = load.table_max_file_bytes > 0 ? load.table_max_file_bytes : settings.max_file_bytes;
  if (file_bytes < kLeastFileBytes) {
    return Refuse("file size of", static_cast<double>(file_bytes), "at least 2 MiB, or HBase makes no such table");
  }
  return absl::OkStatus();
}

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
  return cluster.system == EmulatedSystem::kHBase ? CheckAsHBase(cluster.settings, load) : absl::OkStatus();
}

}  // namespace

absl::StatusOr<Emulation> Emulate(const EmulatedCluster& cluster, const EmulatedLoad& load, const KeySample& sample,
                                  const SplitKeys& splits, const std::function<void(double)>& progress) {
  VAQUITA_RETURN_IF_ERROR(Check(cluster, load));
  return EmulatorRun(cluster, load, sample, splits, progress).Run();
}

}  // namespace vaquita::lab

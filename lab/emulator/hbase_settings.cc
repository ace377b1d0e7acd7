#include "lab/emulator/hbase_settings.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/real_number.h"
#include "base/status.h"

namespace vaquita::lab {
namespace {

using S = HBaseSettings;
using SettingField = std::variant<int64_t S::*, double S::*, bool S::*, std::string S::*>;

constexpr double kNoLimit = 9223372036854775808.0;  // 2^63
// A larger whole number is taken as this one, so that sums and half as much again fit into 64 bits.
constexpr int64_t kMostKept = int64_t{1} << 62;
// HBase reads these with Configuration.getInt, which throws if the number does not fit.
constexpr double kMostInt = std::numeric_limits<int32_t>::max();
constexpr double kLeastInt = std::numeric_limits<int32_t>::min();

struct Row {
  std::string_view name;
  SettingField field;
  double least = 0;  // numbers only
  double most = kNoLimit;
};

const Row kRows[] = {
    {"hbase.hregion.memstore.flush.size", &S::memstore_flush_bytes, 1},
    {"hbase.hregion.memstore.block.multiplier", &S::memstore_block_multiplier, 1},
    {"hbase.regionserver.global.memstore.size", &S::global_memstore_share, 0.01, 0.8},
    {"hbase.regionserver.global.memstore.size.lower.limit", &S::global_lower_limit, 0.01, 1},
    {"hbase.hregion.percolumnfamilyflush.size.lower.bound.min", &S::family_flush_least_bytes, 0},
    {"hbase.regionserver.flush.policy", &S::flush_policy},
    {"hbase.regionserver.optionalcacheflushinterval", &S::periodic_flush_ms, kLeastInt, kMostInt},
    {"hbase.regionserver.periodicmemstoreflusher.rangeofdelayseconds", &S::periodic_flush_spread_s, 1, kMostInt},
    {"hbase.server.thread.wakefrequency", &S::wake_ms, 1, kMostInt},
    {"hbase.hstore.flusher.count", &S::flush_threads, 1, 1000},
    {"hbase.hstore.compactionThreshold", &S::compaction_threshold_files, 1, kMostInt},
    {"hbase.hstore.compaction.min", &S::compaction_min_files, 1, kMostInt},
    {"hbase.hstore.compaction.max", &S::compaction_max_files, 2, 1000},
    {"hbase.hstore.compaction.ratio", &S::compaction_ratio, 0},
    {"hbase.hstore.compaction.min.size", &S::compaction_min_bytes, 0},
    {"hbase.hstore.compaction.max.size", &S::compaction_max_bytes, 1},
    {"hbase.hstore.blockingStoreFiles", &S::blocking_store_files, 1, kMostInt},
    {"hbase.hstore.blockingWaitTime", &S::blocking_wait_ms, 0, kMostInt},
    {"hbase.hregion.majorcompaction", &S::major_period_ms, 0},
    {"hbase.hregion.majorcompaction.jitter", &S::major_jitter, 0, 1},
    {"hbase.server.compactchecker.interval.multiplier", &S::compaction_check_wakes, 1, kMostInt},
    {"hbase.regionserver.thread.compaction.small", &S::small_compaction_threads, 1, 1000},
    {"hbase.regionserver.thread.compaction.large", &S::large_compaction_threads, 1, 1000},
    {"hbase.regionserver.thread.compaction.throttle", &S::compaction_throttle_bytes, 0},
    {"hbase.hstore.compaction.throughput.lower.bound", &S::compaction_least_bytes_per_s, 1},
    {"hbase.hstore.compaction.throughput.higher.bound", &S::compaction_most_bytes_per_s, 1},
    {"hbase.hstore.compaction.throughput.tune.period", &S::compaction_tune_ms, 1, kMostInt},
    {"hbase.hfile.compaction.discharger.interval", &S::archive_ms, 1, kMostInt},
    {"hbase.hregion.max.filesize", &S::max_file_bytes, 1},
    {"hbase.hregion.max.filesize.jitter", &S::max_file_jitter, 0, 1},
    {"hbase.regionserver.region.split.policy", &S::split_policy},
    {"hbase.increasing.policy.initial.size", &S::first_split_bytes, 1},
    {"hbase.hregion.split.overallfiles", &S::split_by_region_size},
    {"hbase.regionserver.regionSplitLimit", &S::region_limit, 0, kMostInt},
    {"hbase.balancer.period", &S::balancer_period_ms, 1, kMostInt},
    {"hbase.regions.slop", &S::regions_slop, -1, 100},
    {"hfile.block.cache.size", &S::block_cache_share, 0, 0.8},
};

// Names of HBase before 1.0, which MemorySizeUtil still reads if the new ones are not set. Both are shares of the heap.
constexpr std::string_view kMemstoreShare = "hbase.regionserver.global.memstore.size";
constexpr std::string_view kLowerLimit = "hbase.regionserver.global.memstore.size.lower.limit";
const Row kOldMemstoreShare = {"hbase.regionserver.global.memstore.upperLimit", &S::global_memstore_share, 0.01, 0.8};
const Row kOldLowerLimit = {"hbase.regionserver.global.memstore.lowerLimit", &S::global_lower_limit, 0.01, 0.8};

constexpr std::string_view kFlushPolicies[] = {"FlushAllLargeStoresPolicy", "FlushAllStoresPolicy"};
constexpr std::string_view kSplitPolicies[] = {"SteppingSplitPolicy", "IncreasingToUpperBoundRegionSplitPolicy",
                                               "ConstantSizeRegionSplitPolicy", "DisabledRegionSplitPolicy"};

absl::Status Malformed(const Row& row, std::string_view value, std::string_view right) {
  return absl::InvalidArgumentError(
      absl::StrCat(AbslText(row.name), ": '", AbslText(value), "' must be ", AbslText(right)));
}

std::string LimitText(double limit) {
  return limit == std::floor(limit) ? absl::StrCat(static_cast<int64_t>(limit)) : absl::StrCat(limit);
}

template <typename Number>
absl::Status SetNumber(const Row& row, std::string_view value, bool parsed, Number number, Number* field) {
  const auto as_double = static_cast<double>(number);
  if (!parsed || !(as_double >= row.least && as_double <= row.most)) {
    std::string right = std::is_integral_v<Number> ? "a whole number" : "a number";
    if (row.least > -kNoLimit) absl::StrAppend(&right, ", at least ", LimitText(row.least));
    if (row.most < kNoLimit) absl::StrAppend(&right, ", at most ", LimitText(row.most));
    return Malformed(row, value, right);
  }
  *field = std::min(number, static_cast<Number>(kMostKept));
  return absl::OkStatus();
}

absl::Status SetName(const Row& row, std::string_view value, std::string* field) {
  const bool flush = row.name == "hbase.regionserver.flush.policy";
  const std::span<const std::string_view> known =
      flush ? std::span<const std::string_view>(kFlushPolicies) : std::span<const std::string_view>(kSplitPolicies);
  const std::string_view simple = value.substr(value.rfind('.') + 1);
  if (std::find(known.begin(), known.end(), simple) == known.end()) {
    std::string names;
    for (const std::string_view name : known) {
      absl::StrAppend(&names, names.empty() ? "" : ", ", AbslText(name));
    }
    return Malformed(row, value, "a policy that the emulator has: " + names);
  }
  *field = std::string(simple);
  return absl::OkStatus();
}

absl::Status Set(const Row& row, std::string_view value, HBaseSettings* settings) {
  if (const auto* field = std::get_if<int64_t S::*>(&row.field)) {
    int64_t number = 0;
    const bool parsed = absl::SimpleAtoi(AbslText(value), &number);
    return SetNumber(row, value, parsed, number, &(settings->**field));
  }
  if (const auto* field = std::get_if<double S::*>(&row.field)) {
    double number = 0;
    const bool parsed = ReadRealNumber(value, &number);
    return SetNumber(row, value, parsed, number, &(settings->**field));
  }
  if (const auto* field = std::get_if<bool S::*>(&row.field)) {
    const bool yes = absl::EqualsIgnoreCase(AbslText(value), "true");
    if (!yes && !absl::EqualsIgnoreCase(AbslText(value), "false")) return Malformed(row, value, "true or false");
    settings->** field = yes;
    return absl::OkStatus();
  }
  return SetName(row, value, &(settings->*std::get<std::string S::*>(row.field)));
}

const Row* FindRow(std::string_view name) {
  const auto* at = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& row) { return row.name == name; });
  return at == std::end(kRows) ? nullptr : at;
}

// Returns the property's last value; null if it has none.
const std::string* ValueOf(const std::vector<SiteProperty>& properties, std::string_view name) {
  const auto at = std::find_if(properties.rbegin(), properties.rend(), [&](const SiteProperty& property) {
    return property.name == name && !property.value.empty();
  });
  return at == properties.rend() ? nullptr : &at->value;
}

// Applies the old names that no new one overrules, and returns their number.
absl::StatusOr<int> ApplyOldNames(const std::vector<SiteProperty>& properties, HBaseSettings* settings) {
  int taken = 0;
  const std::string* share = ValueOf(properties, kOldMemstoreShare.name);
  if (share != nullptr && ValueOf(properties, kMemstoreShare) == nullptr) {
    VAQUITA_RETURN_IF_ERROR(Set(kOldMemstoreShare, *share, settings));
    ++taken;
  }
  const std::string* lower = ValueOf(properties, kOldLowerLimit.name);
  if (lower != nullptr && ValueOf(properties, kLowerLimit) == nullptr) {
    VAQUITA_RETURN_IF_ERROR(Set(kOldLowerLimit, *lower, settings));
    settings->global_lower_limit = std::min(1.0, settings->global_lower_limit / settings->global_memstore_share);
    ++taken;
  }
  return taken;
}

}  // namespace

int64_t HBaseSettings::least_files_to_compact() const {
  return std::max<int64_t>(2, compaction_min_files > 0 ? compaction_min_files : compaction_threshold_files);
}

bool IsHBaseSetting(std::string_view name) {
  return FindRow(name) != nullptr || name == kOldMemstoreShare.name || name == kOldLowerLimit.name;
}

absl::StatusOr<int> ApplySite(const std::vector<SiteProperty>& properties, HBaseSettings* settings) {
  int taken = 0;
  for (const SiteProperty& property : properties) {
    const Row* row = FindRow(property.name);
    if (row == nullptr || property.value.empty()) continue;
    VAQUITA_RETURN_IF_ERROR(Set(*row, property.value, settings));
    ++taken;
  }
  VAQUITA_ASSIGN_OR_RETURN(const int old_names, ApplyOldNames(properties, settings));
  return taken + old_names;
}

}  // namespace vaquita::lab

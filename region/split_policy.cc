#include "region/split_policy.h"

#include <algorithm>
#include <functional>

#include "absl/strings/numbers.h"
#include "base/absl_text.h"
#include "base/saturated.h"
#include "model/store_settings.h"

namespace vaquita {
namespace {

std::string CutToLength(std::string_view row, std::string_view length_text) {
  int length = 0;
  if (!absl::SimpleAtoi(AbslText(length_text), &length) || length <= 0) return std::string(row);
  return std::string(row.substr(0, length));
}

std::string CutAtDelimiter(std::string_view row, std::string_view delimiter) {
  if (delimiter.empty()) return std::string(row);
  return std::string(row.substr(0, row.find(delimiter)));
}

int64_t WithJitter(int64_t bytes, const RegionInfo& info) {
  constexpr double kJitter = 0.25;
  const double place = static_cast<double>(std::hash<std::string>()(info.EncodedName()) % 1000) / 1000;
  const double spread = static_cast<double>(bytes) * (place - 0.5) * kJitter;
  int64_t varied = 0;
  return __builtin_add_overflow(bytes, static_cast<int64_t>(spread), &varied) ? bytes : varied;
}

}  // namespace

std::string_view SplitPolicyName(const TableDescriptor& table, const Options& options) {
  const std::string_view of_table = table.SplitPolicy();
  const std::string_view name = of_table.empty() ? options.split_policy : of_table;
  return name.substr(name.rfind('.') + 1);
}

int64_t SplitSize(const TableDescriptor& table, const Options& options, const RegionInfo& info,
                  int table_regions_here) {
  const std::string_view policy = SplitPolicyName(table, options);
  if (policy == "DisabledRegionSplitPolicy") return -1;
  const int64_t of_table = table.Number("hbase.hregion.max.filesize", options.max_file_bytes);
  const int64_t most = WithJitter(table.max_file_bytes > 0 ? table.max_file_bytes : of_table, info);
  if (policy == "ConstantSizeRegionSplitPolicy") return most;
  const int64_t initial = SaturatedProduct(2, FlushBytes(table, options));
  if (policy == "SteppingSplitPolicy") return table_regions_here == 1 ? initial : most;
  const int64_t regions = table_regions_here;
  return regions == 0 || regions > 100 ? most : std::min(most, SaturatedProduct(initial, regions * regions * regions));
}

std::string PolicySplitRow(const TableDescriptor& table, const Options& options, std::string_view row) {
  const std::string_view policy = SplitPolicyName(table, options);
  if (policy == "KeyPrefixRegionSplitPolicy") {
    std::string_view length = table.Setting("KeyPrefixRegionSplitPolicy.prefix_length");
    if (length.empty()) length = table.Setting("prefix_split_key_policy.prefix_length");
    return CutToLength(row, length);
  }
  if (policy == "DelimitedKeyPrefixRegionSplitPolicy") {
    return CutAtDelimiter(row, table.Setting("DelimitedKeyPrefixRegionSplitPolicy.delimiter"));
  }
  return std::string(row);
}

std::string RestrictedSplitRow(const TableDescriptor& table, std::string_view row) {
  const std::string_view type = table.Setting("hbase.regionserver.region.split_restriction.type");
  if (type == "KeyPrefix") {
    return CutToLength(row, table.Setting("hbase.regionserver.region.split_restriction.prefix_length"));
  }
  if (type == "DelimitedKeyPrefix") {
    return CutAtDelimiter(row, table.Setting("hbase.regionserver.region.split_restriction.delimiter"));
  }
  return std::string(row);
}

}  // namespace vaquita

#include "lab/design/key_statistics.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "absl/container/flat_hash_map.h"

namespace vaquita::lab {
namespace {

constexpr uint64_t kMostPrefixes = 1'000;
constexpr size_t kLongestPrefix = 16;

std::string CommonPrefix(const std::vector<std::string>& keys) {
  const auto [least, most] = std::minmax_element(keys.begin(), keys.end());
  const auto end = std::mismatch(least->begin(), least->end(), most->begin(), most->end());
  return std::string(least->begin(), end.first);
}

KeyPrefixes DescribePrefixes(const std::vector<std::string>& keys, size_t bytes) {
  struct Group {
    uint64_t keys = 0;
    std::string_view largest;
  };
  std::map<std::string_view, Group> groups;
  uint64_t rising = 0;
  for (const std::string& key : keys) {
    Group& group = groups[std::string_view(key).substr(0, bytes)];
    if (group.keys++ > 0 && key > group.largest) ++rising;
    group.largest = std::max<std::string_view>(group.largest, key);
    if (groups.size() > kMostPrefixes) return {.bytes = bytes, .values = groups.size(), .largest = {}};
  }
  const auto largest = std::max_element(groups.begin(), groups.end(),
                                        [](const auto& a, const auto& b) { return a.second.keys < b.second.keys; });
  const auto followers = static_cast<double>(std::max<uint64_t>(1, keys.size() - groups.size()));
  return {.bytes = bytes,
          .values = groups.size(),
          .largest_share = static_cast<double>(largest->second.keys) / static_cast<double>(keys.size()),
          .largest = std::string(largest->first),
          .rising = static_cast<double>(rising) / followers};
}

}  // namespace

KeyStatistics DescribeKeys(const std::vector<std::string>& keys) {
  KeyStatistics statistics{.keys = keys.size(), .common_prefix = {}, .most_frequent = {}, .prefixes = {}};
  if (keys.empty()) return statistics;
  absl::flat_hash_map<std::string_view, uint64_t> times;
  std::string_view largest = keys[0], smallest = keys[0], most_frequent = keys[0];
  uint64_t bytes = 0, rising = 0, falling = 0, most_times = 0;
  statistics.shortest = keys[0].size();
  for (const std::string& key : keys) {
    bytes += key.size();
    statistics.shortest = std::min(statistics.shortest, key.size());
    statistics.longest = std::max(statistics.longest, key.size());
    rising += key > largest ? 1 : 0;
    falling += key < smallest ? 1 : 0;
    largest = std::max<std::string_view>(largest, key);
    smallest = std::min<std::string_view>(smallest, key);
    const uint64_t count = ++times[key];
    if (count > most_times) {
      most_times = count;
      most_frequent = key;
    }
  }
  const auto count = static_cast<double>(keys.size());
  const double followers = std::max(1.0, count - 1);
  statistics.distinct = times.size();
  statistics.mean_bytes = static_cast<double>(bytes) / count;
  statistics.rising = static_cast<double>(rising) / followers;
  statistics.falling = static_cast<double>(falling) / followers;
  statistics.most_frequent = most_frequent;
  statistics.most_frequent_share = static_cast<double>(most_times) / count;
  statistics.common_prefix = CommonPrefix(keys);
  const size_t first = statistics.common_prefix.size() + 1;
  for (size_t length = first; length < first + kLongestPrefix && length <= statistics.longest; ++length) {
    KeyPrefixes prefixes = DescribePrefixes(keys, length);
    if (prefixes.values > kMostPrefixes) break;
    statistics.prefixes.push_back(std::move(prefixes));
  }
  return statistics;
}

}  // namespace vaquita::lab

// lab/design/key_statistics.h: describes a sample of row keys: their length, whether they rise as they arrive, their
// prefixes, and repeated keys.
//
// Threads: any; plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace vaquita::lab {

// Keys that begin the same, and how they arrive.
struct KeyPrefixes {
  size_t bytes = 0;          // length of the prefix
  uint64_t values = 0;       // different ones
  double largest_share = 0;  // share of the keys with the most frequent one
  std::string largest;       // the most frequent one
  double rising = 0;         // share of the keys that are larger than every earlier one with their prefix
};

struct KeyStatistics {
  uint64_t keys = 0;
  uint64_t distinct = 0;
  double mean_bytes = 0;
  size_t shortest = 0;
  size_t longest = 0;
  std::string common_prefix;  // prefix of all keys
  double rising = 0;          // share of the keys that are larger than every earlier one
  double falling = 0;         // smaller than every earlier one
  std::string most_frequent;
  double most_frequent_share = 0;
  // Prefixes of growing length, behind the common prefix, up to 1,000 values.
  std::vector<KeyPrefixes> prefixes;
};

// Describes `keys`, which stand in their order of arrival. If that is not known (keys of a file in key order), `rising`
// has no meaning.
KeyStatistics DescribeKeys(const std::vector<std::string>& keys);

}  // namespace vaquita::lab

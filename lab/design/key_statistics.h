// lab/design/key_statistics.h: what a sample of row keys looks like: how long they are, whether they rise as they
// arrive, how they begin, and whether some come again and again.
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
  size_t bytes = 0;          // of the prefix
  uint64_t values = 0;       // different ones
  double largest_share = 0;  // of all keys, that the most frequent one begins
  std::string largest;       // the most frequent one
  double rising = 0;         // share of the keys that are larger than every earlier one with their prefix
};

struct KeyStatistics {
  uint64_t keys = 0;
  uint64_t distinct = 0;
  double mean_bytes = 0;
  size_t shortest = 0;
  size_t longest = 0;
  std::string common_prefix;  // what all keys begin with
  double rising = 0;          // share of the keys that are larger than every earlier one
  double falling = 0;         // smaller than every earlier one
  std::string most_frequent;
  double most_frequent_share = 0;
  // Of growing length, behind the common prefix, as long as there are at most 1,000 values.
  std::vector<KeyPrefixes> prefixes;
};

// `keys` in the order in which they arrived. Where that is not known (keys of a file in key order), rising means
// nothing.
KeyStatistics DescribeKeys(const std::vector<std::string>& keys);

}  // namespace vaquita::lab

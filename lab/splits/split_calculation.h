// lab/splits/split_calculation.h: split keys for a table that is created in several regions: from a sample of its keys,
// or from the known form of their prefix.
//
// HexStringSplit, DecimalStringSplit and UniformSplit are model/split_algorithm.h's, with RegionSplitter's results.
// Errors: kIllegalArgument, naming the number that is wrong and what would be right.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "lab/splits/split_keys.h"

namespace vaquita::lab {

inline constexpr int kDefaultPartitions = 20;

// Divides the sample's keys into regions of equal size. Repeated keys count once, because a row cannot be divided.
// Returns an error if there are fewer distinct keys than regions.
absl::StatusOr<SplitKeys> SplitsOfSample(std::vector<std::string> keys, int regions);

// For keys that begin with the partition's number, 0 to partitions - 1, as an 8-byte long: 1, 2, ... partitions - 1.
absl::StatusOr<SplitKeys> SplitsOfPartitions(int partitions = kDefaultPartitions);

// For keys whose first byte takes every value: with 256 regions 0x01, 0x02, ... 0xFF.
absl::StatusOr<SplitKeys> SplitsOfBytes(int regions);

// For keys that begin with a bucket's number, as one byte: 0x01, 0x02, ... buckets - 1.
absl::StatusOr<SplitKeys> SplitsOfBuckets(int buckets);

// Keys that begin with `prefix` and a number, 0 to values - 1, of `digits` digits in base 10 or 16 (lower case):
// values / regions, 2 * values / regions, ... With "foo", 4 digits, 4 values and 4 regions: foo0001, foo0002, foo0003.
struct NumberPrefix {
  std::string prefix;
  int digits = 0;  // 0: as many as the largest number has
  int base = 10;
  int64_t values = 0;  // 0: all that the digits can express
};
absl::StatusOr<SplitKeys> SplitsOfNumbers(const NumberPrefix& numbers, int regions);

// Keeps a sample of at most `capacity` keys, each key of the stream as likely as any other (reservoir sampling). Equal
// keys and seeds give equal samples.
class KeyReservoir {
 public:
  explicit KeyReservoir(size_t capacity, uint64_t seed = 42) : capacity_(capacity), seed_(seed) {}

  void Add(std::string_view key);
  // Returns the keys in no particular order.
  std::vector<std::string> Take() && { return std::move(keys_); }

 private:
  size_t capacity_;
  uint64_t seed_;
  uint64_t seen_ = 0;
  std::vector<std::string> keys_;
};

}  // namespace vaquita::lab

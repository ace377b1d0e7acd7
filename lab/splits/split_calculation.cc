#include "lab/splits/split_calculation.h"

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/big_endian.h"
#include "base/status.h"
#include "lab/records/random_number.h"

namespace vaquita::lab {
namespace {

template <typename... Parts>
absl::Status Illegal(const Parts&... parts) {
  return Error(ErrorKind::kIllegalArgument, absl::StrCat(parts...));
}

absl::Status CheckRegions(int regions, int64_t most, const char* what) {
  if (regions < 1) return Illegal(regions, " ", what, "; at least 1");
  if (regions > most) return Illegal(regions, " ", what, "; only ", most, " values can be divided");
  return absl::OkStatus();
}

int DigitsOf(int64_t number, int base) {
  int digits = 1;
  while ((number /= base) > 0) ++digits;
  return digits;
}

}  // namespace

absl::StatusOr<SplitKeys> SplitsOfSample(std::vector<std::string> keys, int regions) {
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  if (regions < 1) return Illegal(regions, " regions; at least 1");
  if (keys.size() < static_cast<size_t>(regions)) {
    return Illegal("the sample has ", keys.size(), " different keys, too few for ", regions, " regions");
  }
  std::vector<std::string> splits;
  for (int i = 1; i < regions; ++i) splits.push_back(keys[keys.size() * i / regions]);
  return SplitKeys::Make(std::move(splits));
}

absl::StatusOr<SplitKeys> SplitsOfPartitions(int partitions) {
  VAQUITA_RETURN_IF_ERROR(CheckRegions(partitions, std::numeric_limits<int>::max(), "partitions"));
  std::vector<std::string> splits(partitions - 1);
  for (int i = 1; i < partitions; ++i) AppendBigEndian(static_cast<uint64_t>(i), &splits[i - 1]);
  return SplitKeys::Make(std::move(splits));
}

absl::StatusOr<SplitKeys> SplitsOfBytes(int regions) {
  VAQUITA_RETURN_IF_ERROR(CheckRegions(regions, 256, "regions"));
  std::vector<std::string> splits;
  for (int i = 1; i < regions; ++i) splits.emplace_back(1, static_cast<char>(256 * i / regions));
  return SplitKeys::Make(std::move(splits));
}

absl::StatusOr<SplitKeys> SplitsOfBuckets(int buckets) {
  VAQUITA_RETURN_IF_ERROR(CheckRegions(buckets, 256, "buckets"));
  std::vector<std::string> splits;
  for (int i = 1; i < buckets; ++i) splits.emplace_back(1, static_cast<char>(i));
  return SplitKeys::Make(std::move(splits));
}

absl::StatusOr<SplitKeys> SplitsOfNumbers(const NumberPrefix& numbers, int regions) {
  int64_t values = numbers.values;
  if (values == 0) {
    if (numbers.digits < 1 || numbers.digits > 15) return Illegal(numbers.digits, " digits; 1 to 15");
    values = 1;
    for (int i = 0; i < numbers.digits; ++i) values *= numbers.base;
  }
  VAQUITA_RETURN_IF_ERROR(CheckRegions(regions, values, "regions"));
  const int needed = DigitsOf(values - 1, numbers.base);
  const int digits = numbers.digits == 0 ? needed : numbers.digits;
  if (digits < needed) return Illegal(digits, " digits cannot express ", values - 1, "; use ", needed);
  std::vector<std::string> splits;
  for (int i = 1; i < regions; ++i) {
    const auto number = static_cast<int64_t>(static_cast<__int128>(values) * i / regions);
    splits.push_back(numbers.prefix + (numbers.base == 16 ? absl::StrFormat("%0*x", digits, number)
                                                          : absl::StrFormat("%0*d", digits, number)));
  }
  return SplitKeys::Make(std::move(splits));
}

void KeyReservoir::Add(std::string_view key) {
  const uint64_t number = seen_++;
  if (keys_.size() < capacity_) {
    keys_.emplace_back(key);
    return;
  }
  const uint64_t place = RandomBelow(RandomNumber(seed_, number), seen_);
  if (place < capacity_) keys_[place] = key;
}

}  // namespace vaquita::lab

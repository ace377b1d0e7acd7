#include "lab/splits/split_keys.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "base/big_endian.h"
#include "base/status.h"
#include "model/region_info.h"

namespace vaquita::lab {
namespace {

constexpr int kIndexShift = 48;  // 16 bits are left
constexpr size_t kIndexSize = size_t{1} << (64 - kIndexShift);

// Returns an empty prefix for a single key, whose own bytes are compared as numbers too.
std::string CommonPrefixOfSorted(const std::vector<std::string>& sorted) {
  if (sorted.size() < 2) return {};
  const std::string& first = sorted.front();
  const std::string& last = sorted.back();
  const auto end = std::mismatch(first.begin(), first.end(), last.begin(), last.end()).first;
  return std::string(first.begin(), end);
}

}  // namespace

SplitKeys::SplitKeys() : SplitKeys(std::vector<std::string>()) {}

SplitKeys::SplitKeys(std::vector<std::string> keys) : keys_(std::move(keys)), common_(CommonPrefixOfSorted(keys_)) {
  by_start_.assign(kIndexSize + 1, 0);
  for (const std::string& key : keys_) {
    numbers_.push_back(NumberOf(key));
    ++by_start_[(numbers_.back() >> kIndexShift) + 1];
  }
  for (size_t i = 1; i < by_start_.size(); ++i) by_start_[i] += by_start_[i - 1];
}

absl::Status SplitKeys::CheckNext(std::string_view place, std::string_view previous, std::string_view key) {
  const auto illegal = [&](const std::string& why) {
    return Error(ErrorKind::kIllegalArgument,
                 absl::StrCat(std::string(place), ": split key '", ToStringBinary(key), "' ", why));
  };
  if (key.empty()) return illegal("is empty; the first region begins with the empty key by itself");
  if (key == previous) return illegal("is repeated; each region needs its own start key");
  if (key < previous) {
    return illegal(absl::StrCat("is smaller than the one before, '", ToStringBinary(previous), "'; sort them"));
  }
  return absl::OkStatus();
}

absl::StatusOr<SplitKeys> SplitKeys::Make(std::vector<std::string> keys) {
  std::string_view previous;
  for (size_t i = 0; i < keys.size(); ++i) {
    VAQUITA_RETURN_IF_ERROR(CheckNext(absl::StrCat("number ", i + 1), previous, keys[i]));
    previous = keys[i];
  }
  return SplitKeys(std::move(keys));
}

uint64_t SplitKeys::NumberOf(std::string_view row) const {
  const size_t left = row.size() - common_.size();
  const char* bytes = row.data() + common_.size();
  if (left >= sizeof(uint64_t)) return GetBigEndian<uint64_t>(bytes);
  uint64_t number = 0;
  for (size_t i = 0; i < left; ++i) number |= uint64_t{static_cast<unsigned char>(bytes[i])} << (56 - 8 * i);
  return number;
}

int SplitKeys::RegionOf(std::string_view row) const {
  if (!common_.empty()) {
    const size_t shared = std::min(common_.size(), row.size());
    const int order = shared == 0 ? 0 : std::memcmp(row.data(), common_.data(), shared);
    if (order > 0) return regions() - 1;
    if (order < 0 || row.size() < common_.size()) return 0;
  }
  const uint64_t number = NumberOf(row);
  const size_t slot = number >> kIndexShift;
  uint32_t first = by_start_[slot];
  uint32_t count = by_start_[slot + 1] - first;
  // Without a branch on what is found: rows of a hashed design would have it mispredicted half of the time.
  while (count > 0) {
    const uint32_t half = count / 2;
    const bool below = numbers_[first + half] < number;
    first = below ? first + half + 1 : first;
    count = below ? count - half - 1 : half;
  }
  // Equal numbers are equal only as far as eight bytes go.
  while (first < numbers_.size() && numbers_[first] == number && keys_[first] <= row) ++first;
  return static_cast<int>(first);
}

int SplitKeys::LastRegionBefore(std::string_view stop) const {
  if (stop.empty()) return regions() - 1;
  const int region = RegionOf(stop);
  return region > 0 && StartKey(region) == stop ? region - 1 : region;
}

}  // namespace vaquita::lab

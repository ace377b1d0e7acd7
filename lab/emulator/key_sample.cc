#include "lab/emulator/key_sample.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "model/cell.h"

namespace vaquita::lab {
namespace {

constexpr uint64_t kMostPoints = uint64_t{1} << 31;

struct SortEntry {
  uint64_t prefix;  // the key's first bytes as a number, so that most comparisons do not touch the key
  uint32_t point;
};

uint64_t PrefixOf(std::string_view key) {
  uint64_t prefix = 0;
  for (size_t i = 0; i < 8; ++i) prefix = prefix << 8 | (i < key.size() ? static_cast<unsigned char>(key[i]) : 0u);
  return prefix;
}

std::string_view KeyBetween(const std::string& bytes, const std::vector<uint64_t>& ends, uint32_t point) {
  const uint64_t begin = point == 0 ? 0 : ends[point - 1];
  return std::string_view(bytes).substr(begin, ends[point] - begin);
}

// The points in key order; those with one key in the order of their arrival.
std::vector<uint32_t> SortPoints(const std::string& bytes, const std::vector<uint64_t>& ends) {
  std::vector<SortEntry> entries(ends.size());
  for (uint32_t point = 0; point < ends.size(); ++point) {
    entries[point] = {PrefixOf(KeyBetween(bytes, ends, point)), point};
  }
  std::sort(entries.begin(), entries.end(), [&](const SortEntry& a, const SortEntry& b) {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    const int order = KeyBetween(bytes, ends, a.point).compare(KeyBetween(bytes, ends, b.point));
    return order != 0 ? order < 0 : a.point < b.point;
  });
  std::vector<uint32_t> by_rank(entries.size());
  std::transform(entries.begin(), entries.end(), by_rank.begin(), [](const SortEntry& entry) { return entry.point; });
  return by_rank;
}

}  // namespace

absl::StatusOr<KeySample> KeySample::Make(uint64_t points,
                                          absl::FunctionRef<absl::Status(uint64_t n, std::string* key)> make) {
  if (points > kMostPoints) {
    return absl::InvalidArgumentError(
        absl::StrCat("a sample of ", points, " keys: it must be ", kMostPoints, " or fewer"));
  }
  std::string bytes;
  std::vector<uint64_t> ends;
  ends.reserve(points);
  for (uint64_t n = 0; n < points; ++n) {
    const size_t before = bytes.size();
    VAQUITA_RETURN_IF_ERROR(make(n, &bytes));
    const size_t length = bytes.size() - before;
    if (length == 0) continue;
    if (length > kMaxRowLength) {
      return absl::InvalidArgumentError(
          absl::StrCat("record ", n, " of the sample has a key of ", length, " bytes; HBase's longest has 32767"));
    }
    ends.push_back(bytes.size());
  }
  if (ends.empty()) return absl::InvalidArgumentError("the load has no record with a key");
  std::vector<uint32_t> by_rank = SortPoints(bytes, ends);
  return KeySample(std::move(bytes), std::move(ends), std::move(by_rank));
}

KeySample::KeySample(std::string bytes, std::vector<uint64_t> ends, std::vector<uint32_t> by_rank)
    : bytes_(std::move(bytes)),
      ends_(std::move(ends)),
      by_rank_(std::move(by_rank)),
      mean_key_bytes_(static_cast<double>(bytes_.size()) / static_cast<double>(ends_.size())),
      index_(by_rank_) {}

std::string_view KeySample::KeyOfArrival(uint32_t arrival) const { return KeyBetween(bytes_, ends_, arrival); }

std::string_view KeySample::KeyAt(uint32_t rank) const { return KeyOfArrival(by_rank_[rank]); }

uint32_t KeySample::LowerBound(std::string_view key) const {
  const auto at = std::lower_bound(by_rank_.begin(), by_rank_.end(), key,
                                   [&](uint32_t point, std::string_view k) { return KeyOfArrival(point) < k; });
  return static_cast<uint32_t>(at - by_rank_.begin());
}

std::vector<RankRange> KeySample::Regions(const SplitKeys& splits) const {
  std::vector<RankRange> regions(splits.regions());
  uint32_t first = 0;
  for (int region = 0; region < splits.regions(); ++region) {
    const std::string_view end_key = splits.EndKey(region);
    const uint32_t end = end_key.empty() ? size() : LowerBound(end_key);
    regions[region] = {first, end};
    first = end;
  }
  return regions;
}

}  // namespace vaquita::lab

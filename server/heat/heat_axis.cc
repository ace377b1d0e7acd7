#include "server/heat/heat_axis.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/varint.h"

namespace vaquita {
namespace {

// The range of `axis` that `key` is in; the first one if it lies before all of them.
size_t FindRange(const HeatAxis& axis, std::string_view key) {
  const auto next =
      std::upper_bound(axis.ranges.begin(), axis.ranges.end(), key,
                       [](std::string_view wanted, const HeatAxis::Range& range) { return wanted < range.start; });
  return next == axis.ranges.begin() ? 0 : next - axis.ranges.begin() - 1;
}

constexpr std::array<int64_t KeyCounts::*, 3> kFields = {&KeyCounts::reads, &KeyCounts::writes, &KeyCounts::bytes};
constexpr uint64_t kManyIdle = 31;  // the largest number that fits beside kFields' bits

void ShareOut(int64_t count, size_t first, size_t last, int64_t KeyCounts::*field, HeatCounts* shown) {
  const auto shares = static_cast<int64_t>(last - first + 1);
  for (size_t at = first; at <= last; ++at) {
    const bool gets_more = static_cast<int64_t>(at - first) < count % shares;
    (*shown)[at].*field += count / shares + (gets_more ? 1 : 0);
  }
}

// LEB128, as protobuf's varints.
void AppendVarint(uint64_t value, std::string* bytes) {
  for (; value >= 0x80; value >>= 7) bytes->push_back(static_cast<char>(value | 0x80));
  bytes->push_back(static_cast<char>(value));
}

uint64_t ReadVarint(std::string_view* bytes) {
  uint64_t value = 0;
  TakeVarint(bytes, &value);
  return value;
}

// Leaves out of the ranges [first, last] those that had no requests when they were one range.
void LeaveOutLater(const HeatAxis& axis, size_t* first, size_t* last) {
  for (size_t at = *first + 1; at <= *last; ++at) {
    if (axis.ranges[at].earlier == KeyHeat::Earlier::kBelow) *last = at - 1;
  }
  for (size_t at = *last; at > *first; --at) {
    if (axis.ranges[at].earlier == KeyHeat::Earlier::kAbove) *first = at;
  }
}

}  // namespace

HeatCounts ShownBy(const HeatAxis& to, const HeatAxis& from, const HeatCounts& counts) {
  HeatCounts shown(to.ranges.size());
  if (shown.empty()) return shown;
  for (size_t at = 0; at < counts.size(); ++at) {
    if (counts[at] == KeyCounts()) continue;
    size_t first = FindRange(to, from.ranges[at].start);
    size_t last = to.ranges.size() - 1;
    if (at + 1 < from.ranges.size()) {
      // The last range that begins before the next one of `from`.
      last = FindRange(to, from.ranges[at + 1].start);
      if (last > first && to.ranges[last].start == from.ranges[at + 1].start) --last;
    }
    LeaveOutLater(to, &first, &last);
    for (const auto field : kFields) ShareOut(counts[at].*field, first, last, field, &shown);
  }
  return shown;
}

// For each range that counted something: a byte that says how many before it did not (or kManyIdle) and which of its
// numbers are not 0; then these numbers.
std::string PackCounts(const HeatCounts& counts) {
  std::string bytes;
  uint64_t idle = 0;
  for (const KeyCounts& range : counts) {
    if (range == KeyCounts()) {
      ++idle;
      continue;
    }
    uint64_t head = std::min(idle, kManyIdle) << kFields.size();
    for (size_t field = 0; field < kFields.size(); ++field) head |= uint64_t{range.*kFields[field] != 0} << field;
    bytes.push_back(static_cast<char>(head));
    if (idle >= kManyIdle) AppendVarint(idle, &bytes);
    for (const auto field : kFields) {
      if (range.*field != 0) AppendVarint(range.*field, &bytes);
    }
    idle = 0;
  }
  return bytes;
}

HeatCounts UnpackCounts(std::string_view bytes, size_t ranges) {
  HeatCounts counts(ranges);
  for (size_t range = 0; !bytes.empty(); ++range) {
    const auto head = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    const uint64_t idle = head >> kFields.size();
    range += idle < kManyIdle ? idle : ReadVarint(&bytes);
    if (range >= ranges) break;
    for (size_t field = 0; field < kFields.size(); ++field) {
      if ((head >> field & 1) != 0) counts[range].*kFields[field] = static_cast<int64_t>(ReadVarint(&bytes));
    }
  }
  return counts;
}

}  // namespace vaquita

#include "region/heat/key_heat.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/big_endian.h"

namespace vaquita {
namespace {

// The part of a range's warmth that is left after a second.
constexpr double kDecay = 0.8;
// Two neighbours that are colder than this together, in requests a second, become one: after a minute at the earliest,
// so that a picture of the last minute keeps its rows.
constexpr double kCold = 1e-7;

// Returns the eight bytes of a key after its first `skipped`, as a number. Keys that share those first bytes are in the
// order of their marks; those of one mark may differ later.
uint64_t MarkOf(std::string_view key, size_t skipped) {
  constexpr size_t kBytes = sizeof(uint64_t);
  if (key.size() >= skipped + kBytes) return GetBigEndian<uint64_t>(key.data() + skipped);
  char padded[kBytes] = {};
  if (key.size() > skipped) std::memcpy(padded, key.data() + skipped, key.size() - skipped);
  return GetBigEndian<uint64_t>(padded);
}

}  // namespace

KeyCounts& KeyCounts::operator+=(const KeyCounts& other) {
  reads += other.reads;
  writes += other.writes;
  bytes += other.bytes;
  return *this;
}

KeyHeat::KeyHeat(std::string start_key, std::string end_key) : end_key_(std::move(end_key)) {
  counters_.emplace_back(std::move(start_key));
}

// REQUIRES: mutex_ is held.
size_t KeyHeat::Find(std::string_view row) const {
  if (marks_.empty()) return 0;
  if (shared_ > 0) {
    const int beside = row.substr(0, shared_).compare(std::string_view(counters_[1].start).substr(0, shared_));
    if (beside != 0) return beside < 0 ? 0 : marks_.size();
  }
  const uint64_t mark = MarkOf(row, shared_);
  const auto first = std::lower_bound(marks_.begin(), marks_.end(), mark);
  if (first == marks_.end() || *first != mark) return first - marks_.begin();
  // Only starts with the same mark are compared whole.
  const auto last = std::upper_bound(first, marks_.end(), mark);
  const auto next = std::upper_bound(counters_.begin() + 1 + (first - marks_.begin()),
                                     counters_.begin() + 1 + (last - marks_.begin()), row,
                                     [](std::string_view key, const Counter& counter) { return key < counter.start; });
  return next - counters_.begin() - 1;
}

// REQUIRES: mutex_ is held.
void KeyHeat::UpdateMarks() {
  marks_.clear();
  if (counters_.size() == 1) return;
  const std::string& lowest = counters_[1].start;  // starts ascend, so what these two share all share
  const std::string& highest = counters_.back().start;
  shared_ = std::mismatch(lowest.begin(), lowest.end(), highest.begin(), highest.end()).first - lowest.begin();
  if (counters_.size() == 2) shared_ = 0;
  for (size_t at = 1; at < counters_.size(); ++at) marks_.push_back(MarkOf(counters_[at].start, shared_));
}

void KeyHeat::Count(std::string_view row, const KeyCounts& counts) {
  const std::lock_guard lock(mutex_);
  CountLocked(row, counts);
}

void KeyHeat::CountWrites(std::span<const Write> writes) {
  const std::lock_guard lock(mutex_);
  for (const Write& write : writes) CountLocked(write.row, {0, 1, write.bytes});
}

// REQUIRES: mutex_ is held.
void KeyHeat::CountLocked(std::string_view row, const KeyCounts& counts) {
  Counter& counter = counters_[Find(row)];
  counter.counts += counts;
  counter.seen += counts.requests();
  if (!counter.any || row < counter.lowest) counter.lowest.assign(row);
  if (!counter.any || row > counter.highest) counter.highest.assign(row);
  counter.any = true;
  if (!counted()) counted_.store(true, std::memory_order_relaxed);
  Sample(row, &counter);
}

uint64_t KeyHeat::Random() {
  random_ ^= random_ << 13;
  random_ ^= random_ >> 7;
  random_ ^= random_ << 17;
  return random_;
}

// Each call's row is as likely as any other to be among the samples (reservoir sampling).
void KeyHeat::Sample(std::string_view row, Counter* counter) {
  // The product's upper half is as even as a remainder, and costs no division.
  const uint64_t place = counter->calls < kSamples ? counter->calls : ((Random() >> 32) * (counter->calls + 1)) >> 32;
  ++counter->calls;
  if (place < kSamples) counter->samples[place].assign(row);
}

std::vector<KeyHeat::Range> KeyHeat::Take() {
  const std::lock_guard lock(mutex_);
  std::vector<Range> ranges;
  if (!counted_.exchange(false, std::memory_order_relaxed)) return ranges;
  ranges.reserve(counters_.size());
  for (Counter& counter : counters_) ranges.push_back({counter.start, std::exchange(counter.counts, {})});
  return ranges;
}

std::vector<KeyHeat::Border> KeyHeat::Borders() const {
  const std::lock_guard lock(mutex_);
  std::vector<Border> borders;
  borders.reserve(counters_.size());
  for (const Counter& counter : counters_) borders.push_back({counter.start, counter.earlier});
  return borders;
}

void KeyHeat::Adapt(const Limits& limits) {
  const std::lock_guard lock(mutex_);
  for (Counter& counter : counters_) {
    counter.warmth = counter.warmth * kDecay + static_cast<double>(counter.seen) * (1 - kDecay);
  }
  Divide(limits.most_requests, limits.most_ranges);
  Join(limits.most_ranges);
  UpdateMarks();
  for (Counter& counter : counters_) {
    counter.seen = 0;
    counter.calls = 0;
    counter.lowest_before = counter.lowest;
    counter.highest_before = counter.highest;
    counter.any_before = counter.any;
  }
}

KeyHeat::Earlier KeyHeat::EarlierThan(const Counter& counter, const std::string& border) {
  if (!counter.any_before) return Earlier::kBoth;
  if (counter.highest_before < border) return Earlier::kBelow;
  return counter.lowest_before >= border ? Earlier::kAbove : Earlier::kBoth;
}

// REQUIRES: mutex_ is held.
void KeyHeat::Divide(int64_t most_requests, size_t most_ranges) {
  const auto is_hot = [&](const Counter& counter) { return counter.seen > most_requests && counter.calls > 0; };
  if (std::none_of(counters_.begin(), counters_.end(), is_hot)) return;
  std::vector<Counter> divided;
  for (Counter& counter : counters_) {
    std::string middle;
    if (is_hot(counter)) {
      const size_t samples = std::min<uint64_t>(counter.calls, kSamples);
      std::vector<std::string> rows(counter.samples.begin(), counter.samples.begin() + samples);
      std::sort(rows.begin(), rows.end());
      // If one row takes it all, the range that begins with it is as narrow as can be.
      middle = rows[samples / 2] > counter.start ? rows[samples / 2] : rows.back();
    }
    const bool divides = middle > counter.start && counters_.size() < 2 * most_ranges;
    divided.push_back(std::move(counter));
    if (!divides) continue;
    Counter& lower = divided.back();
    Counter upper(std::move(middle));
    upper.earlier = EarlierThan(lower, upper.start);
    upper.lowest = upper.start;
    upper.highest = lower.highest;
    upper.any = true;
    lower.highest = upper.earlier == Earlier::kBelow ? lower.highest_before : upper.start;
    upper.warmth = lower.warmth /= 2;
    // Counts that are not yet taken stay with the lower half: a Take comes before.
    divided.push_back(std::move(upper));
  }
  if (divided.size() != counters_.size()) ++version_;
  counters_ = std::move(divided);
}

// REQUIRES: mutex_ is held.
void KeyHeat::Join(size_t most_ranges) {
  while (counters_.size() > 1) {
    size_t coldest = 0;
    double least = counters_[0].warmth + counters_[1].warmth;
    for (size_t at = 1; at + 1 < counters_.size(); ++at) {
      const double warmth = counters_[at].warmth + counters_[at + 1].warmth;
      if (warmth < least) coldest = at, least = warmth;
    }
    if (counters_.size() <= most_ranges && least >= kCold) return;
    Counter& lower = counters_[coldest];
    Counter& upper = counters_[coldest + 1];
    lower.counts += upper.counts;
    lower.warmth = least;
    if (upper.any && !lower.any) lower.lowest = std::move(upper.lowest);
    if (upper.any) lower.highest = std::move(upper.highest);
    lower.any = lower.any || upper.any;
    counters_.erase(counters_.begin() + static_cast<ptrdiff_t>(coldest) + 1);
    ++version_;
  }
}

void KeyHeat::Reads::Enter(std::string_view row) {
  Flush();
  const std::lock_guard lock(heat_->mutex_);
  const size_t at = heat_->Find(row);
  bounded_ = reversed_ || at + 1 < heat_->counters_.size();
  if (bounded_) border_ = heat_->counters_[reversed_ ? at : at + 1].start;
  border_mark_ = MarkOf(border_, 0);
  entered_ = true;
}

void KeyHeat::Reads::Flush() {
  entered_ = false;  // borders may have changed by the next row
  if (reads_ == 0) return;
  heat_->Count(row_, {reads_, 0, bytes_});
  reads_ = bytes_ = 0;
}

}  // namespace vaquita

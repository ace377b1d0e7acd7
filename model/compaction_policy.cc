#include "model/compaction_policy.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/saturated.h"
#include "model/store_settings.h"

namespace vaquita {
namespace {

using Candidates = std::span<const CompactionCandidate>;

int64_t TotalBytes(Candidates files) {
  return std::accumulate(files.begin(), files.end(), int64_t{0},
                         [](int64_t sum, const CompactionCandidate& file) { return sum + file.bytes; });
}

// Returns whether no file is larger than `ratio` times all the others together.
bool InRatio(Candidates files, int64_t total, double ratio) {
  if (files.size() < 2) return true;
  return std::all_of(files.begin(), files.end(), [&](const CompactionCandidate& file) {
    return static_cast<double>(file.bytes) <= static_cast<double>(total - file.bytes) * ratio;
  });
}

struct Choice {
  size_t first = 0;
  size_t count = 0;
  int64_t bytes = 0;
};

// More files are better, then fewer bytes. A store that may be stuck wants the most files for its bytes, by at least
// 5%.
bool IsBetter(const Choice& choice, const Choice& best, bool stuck) {
  if (stuck && best.bytes > 0 && choice.bytes > 0) {
    constexpr double kBetterBy = 1.05;
    return static_cast<double>(best.count) / best.bytes * kBetterBy < static_cast<double>(choice.count) / choice.bytes;
  }
  return choice.count > best.count || (choice.count == best.count && choice.bytes < best.bytes);
}

// Looks at every run of neighbours of an allowed length.
Choice Explore(const CompactionPolicy& policy, Candidates files, bool stuck) {
  Choice best;
  Choice smallest{.bytes = std::numeric_limits<int64_t>::max()};
  for (size_t first = 0; first < files.size(); ++first) {
    const size_t most = std::min<size_t>(policy.max_files, files.size() - first);
    for (size_t count = policy.min_files; count <= most; ++count) {
      const Candidates run = files.subspan(first, count);
      const Choice choice{first, count, TotalBytes(run)};
      if (choice.bytes < smallest.bytes) smallest = choice;
      if (choice.bytes > policy.max_bytes) continue;
      if (choice.bytes >= policy.min_bytes && !InRatio(run, choice.bytes, policy.ratio)) continue;
      if (IsBetter(choice, best, stuck)) best = choice;
    }
  }
  return best.count == 0 && stuck ? smallest : best;
}

// Returns a number in [0, 1) that follows from the store's name alone (FNV-1a).
double StoreShare(std::string_view store_name) {
  uint64_t hash = 14695981039346656037ull;
  for (const unsigned char c : store_name) hash = (hash ^ c) * 1099511628211ull;
  return static_cast<double>(hash >> 11) / static_cast<double>(uint64_t{1} << 53);
}

}  // namespace

CompactionPolicy CompactionPolicy::For(const Options& options, const FamilyDescriptor& family,
                                       std::string_view store_name, int64_t memstore_flush_bytes) {
  const auto number = [&](const char* name, int64_t otherwise) { return StoreNumber(family, name, otherwise); };
  const auto ratio = [&](const char* name, double otherwise) { return StoreRatio(family, name, otherwise); };
  CompactionPolicy policy;
  policy.min_files = std::max<int64_t>(2, number("hbase.hstore.compaction.min", options.compaction_min_files));
  policy.max_files = number("hbase.hstore.compaction.max", options.compaction_max_files);
  policy.ratio = ratio("hbase.hstore.compaction.ratio", options.compaction_ratio);
  policy.min_bytes = number("hbase.hstore.compaction.min.size", options.compaction_min_size_bytes);
  if (policy.min_bytes < 0) policy.min_bytes = memstore_flush_bytes;
  policy.max_bytes = number("hbase.hstore.compaction.max.size", options.compaction_max_size_bytes);
  policy.blocking_files = number("hbase.hstore.blockingStoreFiles", options.blocking_store_files);
  const auto period = static_cast<double>(number("hbase.hregion.majorcompaction", options.major_compaction_period_ms));
  const double jitter = period * ratio("hbase.hregion.majorcompaction.jitter", options.major_compaction_jitter);
  policy.major_period_ms = SaturatedInteger(std::round(period + jitter - 2 * jitter * StoreShare(store_name)));
  return policy;
}

bool MajorCompactionIsDue(const CompactionPolicy& policy, Candidates files, int64_t now_ms) {
  if (files.empty() || policy.major_period_ms <= 0) return false;
  int64_t oldest_ms = std::numeric_limits<int64_t>::max();
  for (const CompactionCandidate& file : files) oldest_ms = std::min(oldest_ms, file.created_ms);
  if (oldest_ms <= 0 || oldest_ms >= now_ms - policy.major_period_ms) return false;
  if (files.size() > 1) return true;
  // Compacting a single file again is only worth it for what has expired in it.
  // Timestamps are any numbers; their difference wraps, as in Java.
  const auto age_ms =
      static_cast<int64_t>(static_cast<uint64_t>(now_ms) - static_cast<uint64_t>(files[0].min_timestamp_ms));
  return policy.ttl_ms > 0 && age_ms > policy.ttl_ms;
}

CompactionSelection SelectCompaction(const CompactionPolicy& policy, Candidates files, CompactionKind asked,
                                     int64_t now_ms, int64_t other_files) {
  if (files.empty()) return {};
  if (asked == CompactionKind::kMajor) return {.first = 0, .count = files.size(), .all = true, .major = true};

  // A store that needs no other compaction is asked for a due one as by a user: HBase's CompactionChecker forces it.
  if (other_files == 0 && static_cast<int64_t>(files.size()) < policy.min_files &&
      MajorCompactionIsDue(policy, files, now_ms)) {
    return {.first = 0, .count = files.size(), .all = true, .major = true};
  }

  const bool stuck = static_cast<int64_t>(files.size()) + other_files >= policy.blocking_files;
  size_t skipped = 0;  // the oldest files that are too large
  while (skipped < files.size() && !files[skipped].reference && files[skipped].bytes > policy.max_bytes) ++skipped;
  const Candidates eligible = files.subspan(skipped);

  const bool due =
      static_cast<int64_t>(eligible.size()) < policy.max_files && MajorCompactionIsDue(policy, eligible, now_ms);
  const bool after_split =
      std::any_of(eligible.begin(), eligible.end(), [](const CompactionCandidate& file) { return file.reference; });

  CompactionSelection selection;
  if (due || after_split) {
    selection.first = skipped;
    selection.count = std::min<size_t>(eligible.size(), policy.max_files);
  } else {
    const Choice choice = Explore(policy, eligible, stuck);
    selection.first = skipped + choice.first;
    selection.count = choice.count;
  }
  selection.all = selection.count == files.size();
  selection.major = selection.all && due;
  return selection;
}

}  // namespace vaquita

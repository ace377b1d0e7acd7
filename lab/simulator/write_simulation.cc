#include "lab/simulator/write_simulation.h"

#include <algorithm>
#include <limits>
#include <map>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "lab/simulator/parallel_ranges.h"

namespace vaquita::lab {
namespace {

// The counts of one thread's ranges.
struct alignas(64) Tally {  // a cache line of its own
  Tally(int regions, int slices) : counts(regions, slices) {}

  void Count(std::string_view key, const SplitKeys& splits, std::span<uint64_t> slice) {
    ++slice[splits.RegionOf(key)];
    ++records;
    key_bytes += key.size();
    shortest = std::min(shortest, key.size());
    longest = std::max(longest, key.size());
  }
  // Keeps the messages of the records with the smallest numbers, so that the result is the same however many threads
  // share the work.
  void Skip(uint64_t index, const absl::Status& error) {
    ++skipped;
    if (messages.size() == BadRecords::kMostMessages && index > messages.rbegin()->first) return;
    messages.emplace(index, std::string(error.message()));
    if (messages.size() > BadRecords::kMostMessages) messages.erase(std::prev(messages.end()));
  }
  void Add(const Tally& other) {
    counts.Add(other.counts);
    records += other.records;
    key_bytes += other.key_bytes;
    shortest = std::min(shortest, other.shortest);
    longest = std::max(longest, other.longest);
    for (const auto& [index, message] : other.messages) messages.emplace(index, message);
    skipped += other.skipped;
    while (messages.size() > BadRecords::kMostMessages) messages.erase(std::prev(messages.end()));
  }
  WriteSimulation Result(uint64_t records_per_slice) && {
    WriteSimulation result{.counts = std::move(counts)};
    result.records = records;
    result.records_per_slice = records_per_slice;
    result.key_bytes = key_bytes;
    result.shortest_key = records == 0 ? 0 : shortest;
    result.longest_key = longest;
    result.skipped.count = skipped;
    for (auto& [index, message] : messages) result.skipped.messages.push_back(std::move(message));
    return result;
  }

  RequestCounts counts;
  uint64_t records = 0;
  uint64_t key_bytes = 0;
  size_t shortest = std::numeric_limits<size_t>::max();
  size_t longest = 0;
  uint64_t skipped = 0;
  std::map<uint64_t, std::string> messages;  // by the record's number
};

std::string RecordText(uint64_t index) { return absl::StrCat("record ", index + 1); }

// Counts the records [range.first, range.last) into `tally`. A template, so that a generator's records are
// made without a virtual call each.
template <typename Records>
absl::Status CountRange(const Records& records, const KeyDesign& design, const SplitKeys& splits,
                        const IndexRange& range, uint64_t records_per_slice, bool stop_at_bad_record, Tally* tally) {
  RecordBuffer buffer;
  std::string key;
  for (uint64_t index = range.first; index < range.last;) {
    const uint64_t slice = index / records_per_slice;
    const uint64_t last = std::min(range.last, (slice + 1) * records_per_slice);
    const std::span<uint64_t> counts = tally->counts.Slice(static_cast<int>(slice));
    for (; index < last; ++index) {
      key.clear();
      const absl::Status made = design.AppendKey(records.Get(index, &buffer), records.RunIndex(index), &key);
      if (made.ok()) {
        tally->Count(key, splits, counts);
        continue;
      }
      const absl::Status error = Annotate(made, RecordText(records.RunIndex(index)));
      if (stop_at_bad_record) return error;
      tally->Skip(index, error);
    }
  }
  return absl::OkStatus();
}

template <typename Records>
absl::StatusOr<WriteSimulation> SimulateRun(const Records& records, const KeyDesign& design, const SplitKeys& splits,
                                            const SimulationOptions& options) {
  const uint64_t count = records.size();
  if (count == 0) return absl::InvalidArgumentError("no records to simulate; at least 1");
  const auto wanted = static_cast<uint64_t>(std::max(1, options.slices));
  const uint64_t records_per_slice = (count + wanted - 1) / wanted;
  const auto slices = static_cast<int>((count + records_per_slice - 1) / records_per_slice);

  ParallelRanges ranges(count, options.threads);
  std::vector<Tally> tallies(ranges.threads(), Tally(splits.regions(), slices));
  VAQUITA_RETURN_IF_ERROR(ranges.Run(
      [&](int thread, const IndexRange& range) {
        return CountRange(records, design, splits, range, records_per_slice, options.stop_at_bad_record,
                          &tallies[thread]);
      },
      options.on_progress));
  for (size_t i = 1; i < tallies.size(); ++i) tallies[0].Add(tallies[i]);
  return std::move(tallies[0]).Result(records_per_slice);
}

}  // namespace

absl::StatusOr<WriteSimulation> SimulateWrites(const RecordGenerator& generator, const KeyDesign& design,
                                               const SplitKeys& splits, uint64_t records,
                                               const SimulationOptions& options) {
  return SimulateRun(GeneratedRecords(generator, records), design, splits, options);
}

absl::StatusOr<WriteSimulation> SimulateWrites(const RecordSet& records, const KeyDesign& design,
                                               const SplitKeys& splits, const SimulationOptions& options) {
  return SimulateRun(records, design, splits, options);
}

absl::StatusOr<WriteSimulation> SimulateWrites(RecordSource* source, const KeyDesign& design, const SplitKeys& splits,
                                               const SimulationOptions& options) {
  const int slices = std::max(2, options.slices);
  Tally tally(splits.regions(), slices);
  uint64_t records_per_slice = 1;
  std::string key;
  uint64_t index = 0;
  uint64_t number = 0;  // the record's in its run, as SampledRecords counts it: rows that are none have no number
  for (;; ++index) {
    absl::StatusOr<std::optional<Record>> record = source->Next();
    if (!record.ok() && !IsErrorOfOneRow(record.status())) return record.status();
    absl::Status made = record.status();
    key.clear();
    if (record.ok()) {
      if (!record->has_value()) break;
      made = Annotate(design.AppendKey(**record, number++, &key), source->Place());
    }
    if (index == records_per_slice * slices) {
      tally.counts.HalveSlices();
      records_per_slice *= 2;
    }
    if (made.ok()) {
      tally.Count(key, splits, tally.counts.Slice(static_cast<int>(index / records_per_slice)));
    } else if (options.stop_at_bad_record) {
      return made;
    } else {
      tally.Skip(index, made);
    }
    if (options.on_progress && index % 65'536 == 0) options.on_progress(index);
  }
  tally.counts.KeepSlices(static_cast<int>((index + records_per_slice - 1) / records_per_slice));
  return std::move(tally).Result(records_per_slice);
}

}  // namespace vaquita::lab

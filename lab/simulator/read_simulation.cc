#include "lab/simulator/read_simulation.h"

#include <algorithm>

#include "base/status.h"
#include "lab/records/random_number.h"
#include "lab/simulator/parallel_ranges.h"

namespace vaquita::lab {
namespace {

constexpr uint64_t kSampledRecords = 100'000;  // to estimate rows by
constexpr uint64_t kMatchedScans = 500;        // scans whose wanted rows are counted in the sample, one by one

// The run as it is estimated from: some of its records, in order of the range's field, and their keys in order.
struct Sample {
  SampledRecords records;
  std::vector<std::string> keys;
  std::vector<uint32_t> by_field;  // numbers of `records`
  int field = 0;
  bool is_text = false;

  const FieldValue& ValueAt(size_t place) const { return records.Get(by_field[place], nullptr)[field]; }
  bool Precedes(const FieldValue& a, const FieldValue& b) const {
    return is_text ? a.text < b.text : a.number < b.number;
  }
  // The places, in order of the field, of the values from `first` to `last`, both inclusive.
  std::pair<size_t, size_t> Places(const FieldRange& range) const {
    const auto value = [this](uint32_t record) -> const FieldValue& { return records.Get(record, nullptr)[field]; };
    const auto from = std::partition_point(by_field.begin(), by_field.end(),
                                           [&](uint32_t record) { return Precedes(value(record), range.first); });
    const auto to = std::partition_point(from, by_field.end(),
                                         [&](uint32_t record) { return !Precedes(range.last, value(record)); });
    return {from - by_field.begin(), to - by_field.begin()};
  }
};

absl::StatusOr<Sample> TakeSample(const RecordSet& records, const KeyDesign& design, const ReadLoad& load) {
  const int field = load.scan->field;
  Sample sample{.records = SampledRecords(records.schema(), kSampledRecords),
                .keys = {},
                .by_field = {},
                .field = field,
                .is_text = records.schema().fields()[field].kind == FieldKind::kText};
  const uint64_t count = std::min(records.size(), kSampledRecords);
  RecordBuffer buffer;
  std::string key;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t index = RandomRecordOfPart(i, count, records.size());
    const Record record = records.Get(index, &buffer);
    key.clear();
    if (!design.AppendKey(record, records.RunIndex(index), &key).ok()) continue;
    sample.by_field.push_back(static_cast<uint32_t>(sample.keys.size()));
    sample.keys.push_back(key);
    sample.records.Add(record);
  }
  if (sample.keys.empty()) return absl::InvalidArgumentError("the design makes no key for any record");
  std::sort(sample.keys.begin(), sample.keys.end());
  std::sort(sample.by_field.begin(), sample.by_field.end(), [&](uint32_t a, uint32_t b) {
    return sample.Precedes(sample.records.Get(a, nullptr)[field], sample.records.Get(b, nullptr)[field]);
  });
  return sample;
}

uint64_t RowsIn(const std::vector<std::string>& sorted, const RowRange& range) {
  const auto first = std::lower_bound(sorted.begin(), sorted.end(), range.start);
  const auto last = range.stop.empty() ? sorted.end() : std::lower_bound(first, sorted.end(), range.stop);
  return static_cast<uint64_t>(last - first);
}

// Makes the ranges of each read of a run, and counts the regions that they ask.
class Reads {
 public:
  Reads(const RecordSet& records, const KeyPlan& plan, const SplitKeys& splits, const ReadLoad& load,
        const Sample* sample)
      : records_(records),
        plan_(plan),
        splits_(splits),
        load_(load),
        sample_(sample),
        choice_(load.pattern, records.size(), load.seed) {}

  struct Tally {
    explicit Tally(const RequestCounts& empty) : counts(empty) {}
    RequestCounts counts;
    uint64_t ranges = 0;
    uint64_t requests = 0;
    uint64_t skipped = 0;
    uint64_t sample_rows = 0;  // read, of the sample
    uint64_t matched_scans = 0;
    uint64_t matched_rows = 0;  // wanted, of the sample
  };

  void Run(const IndexRange& range, uint64_t reads_per_slice, Tally* tally) const {
    RecordBuffer buffer;
    std::vector<RowRange> ranges;
    for (uint64_t read = range.first; read < range.last; ++read) {
      const uint64_t index = choice_.Choose(read);
      const Record record = records_.Get(index, &buffer);
      const std::optional<FieldRange> field_range = RangeEndingAt(record);
      ranges.clear();
      const FieldRange* asked = field_range ? &*field_range : nullptr;
      if (!plan_.AppendRanges(record, records_.RunIndex(index), asked, &ranges).ok()) {
        ++tally->skipped;
        continue;
      }
      const auto counts = tally->counts.Slice(static_cast<int>(read / reads_per_slice));
      for (const RowRange& rows : ranges) Ask(rows, counts, tally);
      if (asked != nullptr && read < kMatchedScans) Match(record, *asked, tally);
    }
  }

 private:
  void Ask(const RowRange& rows, std::span<uint64_t> counts, Tally* tally) const {
    const int first = splits_.RegionOf(rows.start);
    const int last = rows.stop_inclusive ? first : splits_.LastRegionBefore(rows.stop);
    for (int region = first; region <= last; ++region) ++counts[region];
    tally->requests += static_cast<uint64_t>(last - first + 1);
    ++tally->ranges;
    if (sample_ != nullptr) tally->sample_rows += RowsIn(sample_->keys, rows);
  }

  // Returns the range of a scan that ends at a record; nullopt for a get.
  std::optional<FieldRange> RangeEndingAt(Record record) const {
    if (!load_.scan) return std::nullopt;
    const FieldValue& value = record[load_.scan->field];
    if (!sample_->is_text) return RangeUpTo(value, load_.scan->length, sample_->ValueAt(0).number);
    FieldRange range{value, value};
    const auto at = static_cast<int64_t>(sample_->Places({value, value}).second);
    const auto length = static_cast<int64_t>(load_.scan->share * static_cast<double>(sample_->by_field.size()));
    const FieldValue& first =
        sample_->ValueAt(static_cast<size_t>(std::max<int64_t>(0, at - std::max<int64_t>(1, length))));
    if (first.text < value.text) range.first = first;
    return range;
  }

  // Counts the records of the sample that the scan wants.
  void Match(Record record, const FieldRange& range, Tally* tally) const {
    ++tally->matched_scans;
    const auto [from, to] = sample_->Places(range);
    for (size_t place = from; place < to; ++place) {
      const Record other = sample_->records.Get(sample_->by_field[place], nullptr);
      const auto& known = load_.scan->known_fields;
      const bool matches = std::all_of(known.begin(), known.end(), [&](int field) {
        return other[field].number == record[field].number && other[field].text == record[field].text;
      });
      tally->matched_rows += matches ? 1 : 0;
    }
  }

  const RecordSet& records_;
  const KeyPlan& plan_;
  const SplitKeys& splits_;
  const ReadLoad& load_;
  const Sample* sample_;  // used for scans
  const RecordChoice choice_;
};

}  // namespace

Question QuestionOf(const Schema& schema, const std::optional<ReadLoad::FieldScan>& scan) {
  if (scan) return {scan->known_fields, scan->field};
  Question question;
  for (size_t i = 0; i < schema.fields().size(); ++i) question.known_fields.push_back(static_cast<int>(i));
  return question;
}

FieldRange RangeUpTo(const FieldValue& last, int64_t length, int64_t least) {
  FieldRange range{last, last};
  if (__builtin_sub_overflow(last.number, length - 1, &range.first.number) || range.first.number < least) {
    range.first.number = std::min(least, last.number);
  }
  return range;
}

absl::StatusOr<ReadSimulation> SimulateReads(const RecordSet& records, uint64_t run_records, const KeyDesign& design,
                                             const LookupTables& tables, const SplitKeys& splits, const ReadLoad& load,
                                             const SimulationOptions& options) {
  if (records.size() == 0 || load.reads == 0) return absl::InvalidArgumentError("no records to read; at least 1");
  VAQUITA_ASSIGN_OR_RETURN(const KeyPlan plan,
                           KeyPlan::Make(design, tables, records, QuestionOf(records.schema(), load.scan)));
  std::optional<Sample> sample;
  if (load.scan) {
    VAQUITA_ASSIGN_OR_RETURN(sample, TakeSample(records, design, load));
  }

  const auto wanted = static_cast<uint64_t>(std::max(1, options.slices));
  const uint64_t reads_per_slice = (load.reads + wanted - 1) / wanted;
  const RequestCounts empty(splits.regions(), static_cast<int>((load.reads + reads_per_slice - 1) / reads_per_slice));
  const Reads reads(records, plan, splits, load, sample ? &*sample : nullptr);
  const ParallelRanges ranges(load.reads, options.threads);
  std::vector<Reads::Tally> tallies(ranges.threads(), Reads::Tally(empty));
  VAQUITA_RETURN_IF_ERROR(ranges.Run(
      [&](int thread, const IndexRange& range) {
        reads.Run(range, reads_per_slice, &tallies[thread]);
        return absl::OkStatus();
      },
      options.on_progress));

  ReadSimulation result{.counts = empty, .plan = plan.parts()};
  uint64_t sample_rows = 0, matched_scans = 0, matched_rows = 0;
  for (const Reads::Tally& tally : tallies) {
    result.counts.Add(tally.counts);
    result.ranges += tally.ranges;
    result.requests += tally.requests;
    result.skipped += tally.skipped;
    sample_rows += tally.sample_rows;
    matched_scans += tally.matched_scans;
    matched_rows += tally.matched_rows;
  }
  result.reads = load.reads - result.skipped;
  if (sample && result.reads > 0) {
    const double records_per_sampled = static_cast<double>(run_records) / static_cast<double>(sample->keys.size());
    result.rows_read = static_cast<double>(sample_rows) * records_per_sampled / static_cast<double>(result.reads);
    result.rows_wanted = static_cast<double>(matched_rows) * records_per_sampled /
                         static_cast<double>(std::max<uint64_t>(1, matched_scans));
  }
  return result;
}

}  // namespace vaquita::lab

#include "lab/splits/design_splits.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "lab/records/random_number.h"
#include "lab/splits/split_calculation.h"

namespace vaquita::lab {
namespace {

constexpr uint64_t kPrefixTrials = 100'000;
constexpr size_t kMostValues = 1'000;

// Returns the bytes that `append` makes of each record of the sample. Records for which it makes none are in
// `*skipped`.
template <typename Append>
std::vector<std::string> BytesOfSample(const RecordSet& records, const DesignSample& sample, const Append& append,
                                       BadRecords* skipped) {
  RecordBuffer buffer;
  std::string bytes;
  for (uint64_t count = std::min(sample.keys, records.size());; count /= 2) {
    std::vector<std::string> all;
    size_t held = 0;
    *skipped = {};
    for (uint64_t i = 0; i < count && held <= sample.most_bytes; ++i) {
      const uint64_t index = sample.first ? i : RandomRecordOfPart(i, count, records.size());
      bytes.clear();
      const absl::Status made = append(records.Get(index, &buffer), records.RunIndex(index), &bytes);
      if (made.ok()) {
        held += bytes.size();
        all.push_back(bytes);
      } else {
        skipped->Add(made);
      }
    }
    if (held <= sample.most_bytes) return all;
  }
}

// In order; empty if the design has no key for any record.
std::vector<std::string> ValuesOfFirstPart(const RecordSet& records, const KeyDesign& design) {
  BadRecords skipped;
  std::vector<std::string> values = BytesOfSample(
      records, {.keys = kPrefixTrials},
      [&](Record record, uint64_t index, std::string* bytes) { return design.AppendFirstPart(record, index, bytes); },
      &skipped);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

}  // namespace

absl::StatusOr<SplitKeys> SplitsOfDesignSample(const RecordSet& records, const KeyDesign& design,
                                               const DesignSample& sample, int regions, BadRecords* skipped) {
  return SplitsOfSample(
      BytesOfSample(
          records, sample,
          [&](Record record, uint64_t index, std::string* bytes) { return design.AppendKey(record, index, bytes); },
          skipped),
      regions);
}

absl::StatusOr<SplitKeys> SplitsOfFirstPart(const RecordSet& records, const KeyDesign& design, int regions) {
  std::vector<std::string> values = ValuesOfFirstPart(records, design);
  if (regions == 0) regions = static_cast<int>(std::clamp<size_t>(values.size(), 1, kMostValues));
  return SplitsOfSample(std::move(values), regions);
}

absl::StatusOr<SplitKeys> SplitsOfDesign(const RecordSet& records, const KeyDesign& design, int regions) {
  std::vector<std::string> values = ValuesOfFirstPart(records, design);
  if (values.size() == static_cast<size_t>(regions)) return SplitsOfSample(std::move(values), regions);
  BadRecords skipped;
  return SplitsOfDesignSample(records, design, {}, regions, &skipped);
}

}  // namespace vaquita::lab

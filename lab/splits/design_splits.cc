#include "lab/splits/design_splits.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "lab/records/random_number.h"
#include "lab/splits/split_calculation.h"

namespace vaquita::lab {
namespace {

constexpr uint64_t kPrefixTrials = 100'000;
constexpr size_t kMostValues = 1'000;

// In order; empty if the design has no key for any record.
std::vector<std::string> ValuesOfFirstPart(const RecordSet& records, const KeyDesign& design) {
  RecordBuffer buffer;
  const uint64_t trials = std::min(records.size(), kPrefixTrials);
  std::set<std::string> values;
  for (uint64_t i = 0; i < trials; ++i) {
    const uint64_t index = RandomRecordOfPart(i, trials, records.size());
    const auto parts = design.Explain(records.Get(index, &buffer), records.RunIndex(index));
    if (parts.ok() && !parts->empty()) values.insert(parts->front().bytes);
  }
  return {values.begin(), values.end()};
}

}  // namespace

absl::StatusOr<SplitKeys> SplitsOfDesignSample(const RecordSet& records, const KeyDesign& design,
                                               const DesignSample& sample, int regions, BadRecords* skipped) {
  std::vector<std::string> keys;
  RecordBuffer buffer;
  std::string key;
  const uint64_t count = std::min(sample.keys, records.size());
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t index = sample.first ? i : RandomRecordOfPart(i, count, records.size());
    key.clear();
    const absl::Status made = design.AppendKey(records.Get(index, &buffer), records.RunIndex(index), &key);
    if (made.ok()) {
      keys.push_back(key);
    } else {
      skipped->Add(made);
    }
  }
  return SplitsOfSample(std::move(keys), regions);
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

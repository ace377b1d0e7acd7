#include "lab/records/record_set.h"

#include <algorithm>

#include "lab/records/random_number.h"

namespace vaquita::lab {

SampledRecords::Stored SampledRecords::Store(Record record, uint64_t run_index) {
  size_t bytes = 0;
  for (const FieldValue& value : record) bytes += value.text.size();
  Stored stored{.run_index = run_index, .text = std::make_unique_for_overwrite<char[]>(bytes)};
  stored.values.reserve(record.size());
  char* to = stored.text.get();
  for (const FieldValue& value : record) {
    stored.values.push_back({{to, value.text.size()}, value.number});
    to = std::copy(value.text.begin(), value.text.end(), to);
  }
  return stored;
}

void SampledRecords::Add(Record record) {
  const uint64_t number = seen_++;
  if (records_.size() < capacity_) {
    records_.push_back(Store(record, number));
    return;
  }
  const uint64_t place = RandomBelow(RandomNumber(seed_, number), seen_);
  if (place < capacity_) records_[place] = Store(record, number);
}

void SampledRecords::Sort() {
  std::sort(records_.begin(), records_.end(),
            [](const Stored& a, const Stored& b) { return a.run_index < b.run_index; });
}

}  // namespace vaquita::lab

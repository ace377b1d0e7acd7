#include "lab/records/record_set.h"

#include <algorithm>

#include "lab/records/random_number.h"

namespace vaquita::lab {

SampledRecords::Stored SampledRecords::Store(Record record, uint64_t run_index) {
  Stored stored{.run_index = run_index};
  for (const FieldValue& value : record) stored.text.emplace_back(value.text);
  for (size_t i = 0; i < record.size(); ++i) stored.values.push_back({stored.text[i], record[i].number});
  return stored;  // a moved vector keeps its elements in place, so the views stay valid
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

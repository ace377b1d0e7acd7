#include "tools/bench/row_keys.h"

#include <algorithm>
#include <charconv>

#include "base/status.h"
#include "lab/records/random_number.h"
#include "tools/bench/key_choice.h"

namespace vaquita::bench {
namespace {

constexpr uint64_t kSampledForSplits = 20'000;

}  // namespace

absl::StatusOr<RowKeys> RowKeys::Make(const Workload& workload, uint64_t seed) {
  RowKeys keys;
  keys.prefix_ = workload.key_prefix;
  keys.digits_ = static_cast<size_t>(workload.zero_padding);
  keys.hashed_ = workload.hashed_keys;
  if (!workload.design.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(keys.records_, lab::RecordGenerator::Parse(workload.records, seed));
    VAQUITA_ASSIGN_OR_RETURN(keys.design_, lab::KeyDesign::Parse(workload.design, keys.records_->schema(), {}, seed));
    VAQUITA_RETURN_IF_ERROR(KeyMaker(&keys).KeyOf(0).status());
  }
  return keys;
}

absl::Status RowKeys::Append(uint64_t number, lab::RecordBuffer* buffer, std::string* key) const {
  if (design_) return design_->AppendKey(records_->Generate(number, buffer), number, key);
  char digits[20];
  const uint64_t shown = hashed_ ? YcsbHash(number) : number;
  const auto end = std::to_chars(digits, digits + sizeof digits, shown).ptr;
  const auto count = static_cast<size_t>(end - digits);
  key->append(prefix_);
  if (count < digits_) key->append(digits_ - count, '0');
  key->append(digits, count);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::string>> RowKeys::SplitKeys(uint64_t rows, int32_t regions) const {
  const uint64_t sampled = std::min(rows, std::max<uint64_t>(kSampledForSplits, static_cast<uint64_t>(regions) * 20));
  KeyMaker maker(this);
  std::vector<std::string> sample;
  for (uint64_t i = 0; i < sampled; ++i) {
    VAQUITA_ASSIGN_OR_RETURN(sample.emplace_back(), maker.KeyOf(lab::RandomRecordOfPart(i, sampled, rows)));
  }
  std::sort(sample.begin(), sample.end());
  std::vector<std::string> splits;
  for (uint64_t i = 1; i < static_cast<uint64_t>(regions); ++i) {
    std::string& key = sample[i * sampled / static_cast<uint64_t>(regions)];
    if (!key.empty() && key != sample.front() && (splits.empty() || splits.back() < key)) splits.push_back(key);
  }
  return splits;
}

}  // namespace vaquita::bench

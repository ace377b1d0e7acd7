#include "lab/design/duplicate_keys.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "model/region_info.h"

namespace vaquita::lab {
namespace {

std::string KeyOf(const RecordSet& records, const KeyDesign& design, uint64_t index) {
  RecordBuffer buffer;
  std::string key;
  (void)design.AppendKey(records.Get(index, &buffer), records.RunIndex(index), &key);  // it went well the first time
  return key;
}

}  // namespace

DuplicateKeys FindDuplicateKeys(const RecordSet& records, const KeyDesign& design, uint64_t most) {
  DuplicateKeys found;
  std::vector<std::pair<uint64_t, uint64_t>> hashes;  // a key's hash, and its record
  RecordBuffer buffer;
  std::string key;
  for (uint64_t index = 0; index < std::min(most, records.size()); ++index) {
    key.clear();
    if (!design.AppendKey(records.Get(index, &buffer), records.RunIndex(index), &key).ok()) continue;
    hashes.emplace_back(std::hash<std::string_view>()(key), index);
  }
  found.checked = hashes.size();
  std::sort(hashes.begin(), hashes.end());
  // Equal hashes are almost always equal keys, but only the keys themselves can tell.
  for (size_t i = 1; i < hashes.size(); ++i) {
    const auto [hash, later] = hashes[i];
    const uint64_t earlier = hashes[i - 1].second;
    if (hash != hashes[i - 1].first) continue;
    std::string repeated = KeyOf(records, design, later);
    if (repeated != KeyOf(records, design, earlier)) continue;
    if (++found.repeated == 1 || later < found.later) {
      found.earlier = earlier;
      found.later = later;
      found.key = std::move(repeated);
    }
  }
  return found;
}

absl::StatusOr<DuplicateKeys> FindDuplicateKeys(RecordSource* source, const KeyDesign& design, uint64_t most) {
  DuplicateKeys found;
  absl::flat_hash_map<uint64_t, uint64_t> records;  // by a key's hash: the first that has it
  std::string key;
  for (uint64_t number = 0; number < most;) {
    const absl::StatusOr<std::optional<Record>> record = source->Next();
    if (!record.ok() && !IsErrorOfOneRow(record.status())) return record.status();
    if (!record.ok()) continue;
    if (!record->has_value()) break;
    key.clear();
    const uint64_t index = number++;
    if (!design.AppendKey(**record, index, &key).ok()) continue;
    ++found.checked;
    const auto [earlier, is_new] = records.emplace(std::hash<std::string_view>()(key), index);
    if (is_new || ++found.repeated > 1) continue;
    found.earlier = earlier->second;
    found.later = index;
    found.key = key;
  }
  return found;
}

std::string DuplicateKeys::Text() const {
  if (repeated == 0) return {};
  return absl::StrCat("the design gives the same key twice: records ", earlier + 1, " and ", later + 1, " are both '",
                      ToStringBinary(key), "'; ", repeated, " of the first ", checked,
                      " records hide an earlier one of the same key");
}

}  // namespace vaquita::lab

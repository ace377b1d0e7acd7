// lab/splits/split_keys.h: the split keys of a table: where its regions 2 to n begin. They say which region a row
// belongs to.
//
// Invariants: sorted bytewise, distinct, none empty (HBase's rules for Admin.createTable). No keys at all is a table of
// one region. Region 0 begins with the empty key, region i with keys()[i - 1].
// Threads: immutable; any at once. Cost: 256 KiB for the index, whatever the number of regions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace vaquita::lab {

class SplitKeys {
 public:
  SplitKeys();  // one region

  // kIllegalArgument, with number and value, for a key that is empty, repeated or out of order.
  static absl::StatusOr<SplitKeys> Make(std::vector<std::string> keys);
  // The same check of one key after `previous` (empty: it is the first). `place` begins the message.
  static absl::Status CheckNext(std::string_view place, std::string_view previous, std::string_view key);

  const std::vector<std::string>& keys() const { return keys_; }
  int regions() const { return static_cast<int>(keys_.size()) + 1; }
  // What all keys begin with; empty for a single one, which has nothing to differ from.
  const std::string& common_prefix() const { return common_; }
  // Inclusive; empty for region 0.
  std::string_view StartKey(int region) const { return region == 0 ? std::string_view() : keys_[region - 1]; }
  // Exclusive; empty for the last region.
  std::string_view EndKey(int region) const {
    return region + 1 == regions() ? std::string_view() : std::string_view(keys_[region]);
  }

  // The region that `row` belongs to: a few nanoseconds and no allocation, as 100 million rows are to be asked for.
  int RegionOf(std::string_view row) const;
  // The last region that holds rows before `stop`, which is exclusive; empty: no end.
  int LastRegionBefore(std::string_view stop) const;

 private:
  explicit SplitKeys(std::vector<std::string> keys);
  // The keys' bytes after `common_`, as one number; shorter ones are filled up with zeros.
  uint64_t NumberOf(std::string_view row) const;

  std::vector<std::string> keys_;
  std::string common_;
  std::vector<uint64_t> numbers_;   // NumberOf(keys_[i]): ascending, not always strictly
  std::vector<uint32_t> by_start_;  // by a number's upper 16 bits: how many keys have smaller upper bits
};

}  // namespace vaquita::lab

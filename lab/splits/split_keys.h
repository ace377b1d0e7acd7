// lab/splits/split_keys.h: the split keys of a table, which are the start keys of its regions 2 to n. They determine
// the region of a row.
//
// Invariants: sorted bytewise, distinct, none empty (HBase's rules for Admin.createTable). Without keys the table has
// one region. Region 0 begins with the empty key, region i with keys()[i - 1]. Threads: immutable; any. Cost: 256 KiB
// for the index, whatever the number of regions.
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

  // Returns kIllegalArgument, with number and value, if a key is empty, repeated or out of order.
  static absl::StatusOr<SplitKeys> Make(std::vector<std::string> keys);
  // Checks one key after `previous` (empty: it is the first). `place` begins the message.
  static absl::Status CheckNext(std::string_view place, std::string_view previous, std::string_view key);

  const std::vector<std::string>& keys() const { return keys_; }
  int regions() const { return static_cast<int>(keys_.size()) + 1; }
  // Returns the common prefix of all keys; empty if there is one key.
  const std::string& common_prefix() const { return common_; }
  // Inclusive; empty for region 0.
  std::string_view StartKey(int region) const { return region == 0 ? std::string_view() : keys_[region - 1]; }
  // Exclusive; empty for the last region.
  std::string_view EndKey(int region) const {
    return region + 1 == regions() ? std::string_view() : std::string_view(keys_[region]);
  }

  // Returns the region of `row`, in a few nanoseconds and without allocation, because simulations ask for 100 million
  // rows.
  int RegionOf(std::string_view row) const;
  // Returns the last region that holds rows before `stop`, which is exclusive; an empty `stop` means no end.
  int LastRegionBefore(std::string_view stop) const;

 private:
  explicit SplitKeys(std::vector<std::string> keys);
  // Returns the first eight bytes after `common_` as a number; shorter ones are filled with zeros.
  uint64_t NumberOf(std::string_view row) const;

  std::vector<std::string> keys_;
  std::string common_;
  std::vector<uint64_t> numbers_;   // NumberOf(keys_[i]): ascending, not always strictly
  std::vector<uint32_t> by_start_;  // by a number's upper 16 bits: the number of keys with smaller upper bits
};

}  // namespace vaquita::lab

// lab/emulator/key_sample.h: a sample of a load's row keys, in the order in which they arrive, for the emulator.
//
// Point n of the sample stands for the same number of records around it, in time and in key space; a load that is small
// enough is its own sample. Threads: immutable once made; any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "lab/emulator/key_time_index.h"
#include "lab/splits/split_keys.h"

namespace vaquita::lab {

class KeySample {
 public:
  // `make` appends the key of the sample's point n, for n from 0 to `points`, in order; if it appends nothing, the
  // point is left out. Returns InvalidArgument if a key has more than HBase's 32,767 bytes, or if there are no points
  // or more than 2^31; `make`'s own errors pass through.
  static absl::StatusOr<KeySample> Make(uint64_t points,
                                        absl::FunctionRef<absl::Status(uint64_t n, std::string* key)> make);

  uint32_t size() const { return index_.size(); }
  double mean_key_bytes() const { return mean_key_bytes_; }
  const KeyTimeIndex& index() const { return index_; }

  std::string_view KeyAt(uint32_t rank) const;
  std::string_view KeyOfArrival(uint32_t arrival) const;
  // Returns the rank of the first point whose key is not below `key`. Points with the same key stand together.
  uint32_t LowerBound(std::string_view key) const;
  // Returns the ranks that each region of `splits` holds.
  std::vector<RankRange> Regions(const SplitKeys& splits) const;

 private:
  KeySample(std::string bytes, std::vector<uint64_t> ends, std::vector<uint32_t> by_rank);

  std::string bytes_;              // all keys, in order of arrival
  std::vector<uint64_t> ends_;     // each key's end in bytes_
  std::vector<uint32_t> by_rank_;  // the points in key order
  double mean_key_bytes_ = 0;
  KeyTimeIndex index_;
};

}  // namespace vaquita::lab

// model/split_algorithm.h: split keys of a table that is created in several regions.
//
// Source: RegionSplitter.HexStringSplit, DecimalStringSplit, UniformSplit; Bytes.split and Admin.createTable(desc,
// start, end, n) (2.6).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace vaquita {

// Returns split keys for `regions` regions by the algorithm called `name` ("HexStringSplit", "DecimalStringSplit",
// "UniformSplit"). Returns kIllegalArgument, naming what would be right, for another name or fewer than 2 regions.
absl::StatusOr<std::vector<std::string>> SplitKeysByAlgorithm(std::string_view name, int regions);

// Returns HBase's big-integer split of [start, end] into `regions` regions: `start` is the first split key, `end` the
// last (so at least 3 regions).
absl::StatusOr<std::vector<std::string>> SplitKeysOfRange(std::string_view start, std::string_view end, int regions);

// Returns the keys sorted, or HBase's error if a key is empty or repeated.
absl::StatusOr<std::vector<std::string>> CheckSplitKeys(std::vector<std::string> keys);

}  // namespace vaquita

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

// Split keys for `regions` regions by the algorithm called `name` ("HexStringSplit", "DecimalStringSplit",
// "UniformSplit"). kIllegalArgument, naming what would be right, for another name or fewer than 2 regions.
absl::StatusOr<std::vector<std::string>> SplitKeysByAlgorithm(std::string_view name, int regions);

// HBase's big-integer split of [start, end] into `regions` regions: `start` is the first split key, `end` the last (so
// at least 3 regions).
absl::StatusOr<std::vector<std::string>> SplitKeysOfRange(std::string_view start, std::string_view end, int regions);

// The same keys sorted. HBase's errors for an empty key and for a repeated one.
absl::StatusOr<std::vector<std::string>> CheckSplitKeys(std::vector<std::string> keys);

}  // namespace vaquita

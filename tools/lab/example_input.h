// tools/lab/example_input.h: how a ready example's table is split.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "tools/lab/split_input.h"

namespace vaquita {

// "METHOD [regions] [digits=N] [prefix=TEXT]", with the methods of --split-by, and first-sample: the design's first
// keys, as of a table that has grown. Empty: ten regions by a sample.
absl::StatusOr<SplitInput> ParseExampleSplits(std::string_view splits);

}  // namespace vaquita

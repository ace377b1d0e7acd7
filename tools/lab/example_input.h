// tools/lab/example_input.h: the splits of a built-in example's table.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "tools/lab/split_input.h"

namespace vaquita {

// Parses "METHOD [regions] [digits=N] [prefix=TEXT]", with the methods of --split-by and with first-sample, which takes
// the design's first keys, as in a table that has grown. Empty means ten regions by a sample.
absl::StatusOr<SplitInput> ParseExampleSplits(std::string_view splits);

}  // namespace vaquita

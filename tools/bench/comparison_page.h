// tools/bench/comparison_page.h: the comparison of runs as one HTML page without scripts or other files.
//
// Threads: functions.
#pragma once

#include <string>
#include <vector>

#include "tools/bench/comparison.h"

namespace vaquita::bench {

// REQUIRES: there is a group, and each has a run.
std::string ComparisonPage(const std::vector<RunGroup>& groups);

}  // namespace vaquita::bench

// server/heat/heat_findings.h: sentences that say what a heat picture shows, for those who see one for the first time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/heat/heat_history.h"

namespace vaquita {

enum class HeatMetric { kReads, kWrites, kBytes };

int64_t CountOf(const KeyCounts& counts, HeatMetric metric);

// Returns the sentences about `metric`, the most important first. Empty if nothing was counted.
std::vector<std::string> HeatFindings(const HeatPicture& picture, HeatMetric metric);

}  // namespace vaquita

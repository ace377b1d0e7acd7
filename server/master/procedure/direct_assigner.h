// server/master/procedure/direct_assigner.h: a RegionAssigner that calls the servers itself, one step after the other.
//
// It is for servers that neither die nor come back while the master lives, as the one that is in its process.
#pragma once

#include <memory>

#include "server/master/assignment/region_assigner.h"

namespace vaquita {

struct MasterParts;

// `master` outlives it.
std::unique_ptr<RegionAssigner> MakeDirectAssigner(MasterParts* master);

}  // namespace vaquita

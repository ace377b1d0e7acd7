// server/master/cluster_check.h: finds inconsistencies in a cluster that runs, as its master sees it.
//
// A change under way is no inconsistency: a finding counts if two looks, one after the other, have it. Threads: any;
// it waits for the region servers' reports. Source: HbckChore, CatalogJanitor's ReportMakingVisitor (2.6).
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "server/fsck/finding.h"

namespace vaquita {

struct MasterParts;

absl::StatusOr<std::vector<fsck::Finding>> CheckCluster(MasterParts& master);

}  // namespace vaquita

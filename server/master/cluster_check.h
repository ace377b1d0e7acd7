// server/master/cluster_check.h: finds inconsistencies in a running cluster, as its master sees it.
//
// A change under way is no inconsistency, so a finding counts only if two surveys in a row have it. Threads: any; it
// waits for the region servers' reports. Source: HbckChore, CatalogJanitor's ReportMakingVisitor (2.6).
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "server/fsck/finding.h"

namespace vaquita {

struct MasterParts;

absl::StatusOr<std::vector<fsck::Finding>> CheckCluster(MasterParts& master);

}  // namespace vaquita

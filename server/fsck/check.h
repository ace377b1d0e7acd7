// server/fsck/check.h: finds inconsistencies of a cluster by comparing plain data.
//
// Pure: equal pictures give equal findings, in the order of tables and rows. Source: CatalogJanitor's
// ReportMakingVisitor and HbckChore (2.6) for meta and for a running cluster; HBaseFsck (2.6) for the rest.
#pragma once

#include <vector>

#include "server/fsck/finding.h"
#include "server/fsck/picture.h"

namespace vaquita::fsck {

std::vector<Finding> Check(const Picture& picture);

}  // namespace vaquita::fsck

// server/master/meta/leftover_handoffs.h: removes handoffs (server/data_root/handoff.h) from which no region will be
// opened. They only take space, so a failed removal is only logged. Threads: any.
#pragma once

#include <string>
#include <vector>

#include "server/master/meta/meta_table.h"

namespace vaquita {

// Removes handoffs by their regions' encoded names. Missing or incomplete ones are not errors.
void RemoveLeftoverHandoffs(const std::string& root, const std::vector<std::string>& encoded_names);

// Finds handoffs that are left if a master dies while a table's regions are replaced and a server is recovered: those
// of regions whose rows belong to other regions by meta, or whose table was removed. A handoff in a hole of meta stays,
// because `vaquita fsck` can make it a region again. REQUIRES: no region is being made or opened yet.
std::vector<std::string> FindLeftoverHandoffs(const std::string& root, const MetaTable::Contents& meta);

}  // namespace vaquita

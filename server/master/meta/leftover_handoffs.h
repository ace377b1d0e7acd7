// server/master/meta/leftover_handoffs.h: handoffs (server/data_root/handoff.h) that no region will be opened of. They
// only take room: what cannot be removed is a line in the log. Threads: any.
#pragma once

#include <string>
#include <vector>

#include "server/master/meta/meta_table.h"

namespace vaquita {

// By their regions' encoded names; those that are not there, or not whole, are no errors.
void RemoveLeftoverHandoffs(const std::string& root, const std::vector<std::string>& encoded_names);

// What is left when a master dies while a table's regions are replaced, and a server's are recovered: the handoffs of
// regions whose rows are other regions' by what meta has, or whose table is gone. One in a hole of meta stays, for
// `vaquita fsck` can make it a region again. REQUIRES: no region is being made or opened yet.
std::vector<std::string> FindLeftoverHandoffs(const std::string& root, const MetaTable::Contents& meta);

}  // namespace vaquita

// server/master/meta/cell_writes.h: writes single cells of the master's own small regions.
//
// Each write is synced before it returns, because nobody can make the master's records anew. Threads: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "region/region.h"

namespace vaquita {

absl::Status PutCell(Region& region, std::string_view row, std::string_view family, std::string_view qualifier,
                     std::string value, int64_t timestamp_ms);

// Deletes all versions of the column up to the time; with an empty `family` those of the whole row.
absl::Status DeleteCells(Region& region, std::string_view row, std::string_view family, std::string_view qualifier,
                         int64_t timestamp_ms);

}  // namespace vaquita

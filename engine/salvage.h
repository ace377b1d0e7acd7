// engine/salvage.h: reads the cells of a database whose MANIFEST is lost together with its copy, so that nobody knows
// which files make which store.
//
// A file names the store that wrote it, which need not be the one that has it. A log has only numbers of stores, which
// the marks and the files' properties explain. So each cell is read with the store that wrote it, and the caller
// decides where it belongs. Replaced and removed files that were not deleted yet are read, too, and those of stores
// that were set apart (damage_record.h). Threads: one.
// REQUIRES: nobody has the database open.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/store_db.h"
#include "model/cell.h"

namespace vaquita {

struct SalvageReport {
  size_t store_files = 0;
  size_t logs = 0;
  int64_t cells = 0;
  int64_t nameless_cells = 0;    // that a log has, of stores whose names are not known: they were left out
  std::vector<std::string> bad;  // files, and places in logs, that could not be read, and damage known before
};

// Reads the notes of the database in `folder` (StoreDb::Notes), as far as they can be read.
absl::StatusOr<StoreDb::NoteMap> SalvageNotes(const std::string& folder);

// Shows every cell and the name of the store that wrote it: the files' cells, those that were written first before the
// others, then the logs' in their order. `stores`: names that a store may have. An error of `visit` ends it.
using SalvageVisit = std::function<absl::Status(std::string_view store, const CellView& cell)>;
absl::StatusOr<SalvageReport> SalvageCells(const std::string& folder, const std::vector<std::string>& stores,
                                           const SalvageVisit& visit);

}  // namespace vaquita

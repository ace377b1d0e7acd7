// engine/salvage.h: reads what is in the files of a database of which nobody can say which files make a store: its
// MANIFEST and the copy are lost.
//
// A file names the store that wrote it, which need not be the one that has it. A log has only numbers of stores, which
// the marks and the files' properties explain. So what is read is each cell and who wrote it; the caller says where it
// belongs. What had been replaced or removed, and was not deleted yet, is read, too. Threads: one. REQUIRES: nobody has
// the database open.
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
  std::vector<std::string> bad;  // files, and places in logs, that could not be read
};

// Reads the notes of the database in `folder` (StoreDb::Notes), as far as they can be read.
absl::StatusOr<StoreDb::NoteMap> SalvageNotes(const std::string& folder);

// Shows every cell and the name of the store that wrote it: the files' cells, those that were written first before the
// others, then the logs' in their order. `stores`: names that a store may have. An error of `visit` ends it.
using SalvageVisit = std::function<absl::Status(std::string_view store, const CellView& cell)>;
absl::StatusOr<SalvageReport> SalvageCells(const std::string& folder, const std::vector<std::string>& stores,
                                           const SalvageVisit& visit);

}  // namespace vaquita

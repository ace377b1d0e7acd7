// engine/store_export.h: exports a store's files as hard links, and makes stores from such files.
//
// A snapshot consists of such exports; unlike those of engine/store_link.h they stay. Disk: an ExportedFile is stored
// with its file and outlives a release (docs/formats.md).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/store.h"
#include "rocksdb/db.h"

namespace vaquita {

// Links the present files of `store` into `folder`, which is created. Compactions and flushes may go on meanwhile.
// REQUIRES: the database's files are kept (file_deletions.h), so that a file that a compaction replaces can still be
// linked.
absl::StatusOr<std::vector<ExportedFile>> ExportStore(const Store& store, const std::string& folder);

// Creates column family `name` with `options` from files that ExportStore left in `folder`, where they stay; without
// files it is empty. The caller owns the handle.
absl::StatusOr<rocksdb::ColumnFamilyHandle*> ImportStore(rocksdb::DB* db, const std::string& folder,
                                                         std::span<const ExportedFile> files, const std::string& name,
                                                         const rocksdb::ColumnFamilyOptions& options);

}  // namespace vaquita

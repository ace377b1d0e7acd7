// engine/store_export.h: a store's files outside of its database, and stores made of such files, by hard links.
//
// Unlike engine/store_link.h's, these exports stay: they are what a snapshot consists of. Disk: what ExportedFile says
// of a file is kept with it and outlives a release (docs/formats.md).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/store_impl.h"
#include "rocksdb/db.h"

namespace vaquita {

// Links the files that `store` has now into `folder`, which is created. Compactions and flushes may go on meanwhile.
// REQUIRES: its database's files are kept, so that one that a compaction replaces can still be linked.
absl::StatusOr<std::vector<ExportedFile>> ExportStore(const StoreImpl& store, const std::string& folder);

// Creates column family `name` with `options` from files that ExportStore left in `folder`, where they stay; without
// files it is empty. The caller owns the handle.
absl::StatusOr<rocksdb::ColumnFamilyHandle*> ImportStore(rocksdb::DB* db, const std::string& folder,
                                                         std::span<const ExportedFile> files, const std::string& name,
                                                         const rocksdb::ColumnFamilyOptions& options);

}  // namespace vaquita

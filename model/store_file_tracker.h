// model/store_file_tracker.h: the names of HBase's ways to track a store's files.
//
// RocksDB tracks its files itself: a table's or family's kStoreFileTracker is kept, reported, and checked as HBase
// checks it. Source: StoreFileTrackerFactory, StoreFileTrackerValidationUtils (2.6).
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/table_descriptor.h"

namespace vaquita {

// HBase marks each new table with how its store files are tracked; RocksDB does that by itself, so it is only a name
// (StoreFileTrackerFactory.TRACKER_IMPL).
inline constexpr const char* kStoreFileTracker = "hbase.store.file-tracker.impl";

// Returns the Java class that a tracker's name stands for; kDoNotRetryIO if HBase does not know the name.
absl::StatusOr<std::string> StoreFileTrackerClass(std::string_view tracker);

// Checks the tracker that a table or family is to get; kDoNotRetryIO if HBase does not know the name or refuses it.
absl::Status CheckNewStoreFileTracker(const std::string& tracker);

// Returns kRestoreSnapshot if a family that both have is tracked in different ways.
absl::Status CheckSameStoreFileTrackers(const TableDescriptor& current, const TableDescriptor& snapshot);

}  // namespace vaquita

// server/data_root/snapshot_manifest.h: all that a snapshot consists of, beside its files' contents.
//
// Kept in HBase's own two messages: the description alone, which lists of snapshots are made from, and the manifest of
// its table, regions and files. Errors: bytes that the matching Encode cannot have written are kCorruptedSnapshot.
// Each has a checksum (server/data_root/checked_bytes.h), unless an older release wrote it. Disk: these bytes outlive a
// release; see docs/formats.md. Source: SnapshotManifestV2 (2.6).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "model/region_info.h"
#include "model/snapshot_description.h"
#include "model/table_descriptor.h"
#include "region/region.h"

namespace vaquita {

struct SnapshotRegion {
  RegionInfo info;
  RegionFiles files;
  // A region by itself has its table here, as it was then. Null if the manifest does not say it, as that of a handoff
  // which an older release made.
  std::shared_ptr<const TableDescriptor> table = nullptr;
};

struct SnapshotManifest {
  SnapshotDescription description;
  TableDescriptor table;
  std::vector<SnapshotRegion> regions;  // by start key
};

std::string EncodeSnapshotDescription(const SnapshotDescription& description);
absl::StatusOr<SnapshotDescription> DecodeSnapshotDescription(std::string_view bytes);

// The table and its regions.
std::string EncodeSnapshotManifest(const SnapshotManifest& manifest);
absl::StatusOr<SnapshotManifest> DecodeSnapshotManifest(SnapshotDescription description, std::string_view bytes);

// One region by itself.
std::string EncodeSnapshotRegion(const SnapshotRegion& region);
absl::StatusOr<SnapshotRegion> DecodeSnapshotRegion(std::string_view bytes);

}  // namespace vaquita

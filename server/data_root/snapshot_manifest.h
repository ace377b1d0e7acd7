// server/data_root/snapshot_manifest.h: a snapshot's description, table, regions and files.
//
// It is stored in HBase's two messages: the description alone, for lists of snapshots, and the manifest of its table,
// regions and files. Errors: kCorruptedSnapshot if the matching Encode cannot have written the bytes. Each has a
// checksum (server/data_root/checked_bytes.h), unless an older release wrote it. Disk: these bytes outlive a release;
// see docs/formats.md. Source: SnapshotManifestV2 (2.6).
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
  // The table of a region that is stored by itself, as it was at that time. Null if the manifest does not have it, as
  // in handoffs of older releases.
  std::shared_ptr<const TableDescriptor> table = nullptr;
};

struct SnapshotManifest {
  SnapshotDescription description;
  TableDescriptor table;
  std::vector<SnapshotRegion> regions;  // by start key
};

std::string EncodeSnapshotDescription(const SnapshotDescription& description);
absl::StatusOr<SnapshotDescription> DecodeSnapshotDescription(std::string_view bytes);

// Encodes the table and its regions.
std::string EncodeSnapshotManifest(const SnapshotManifest& manifest);
absl::StatusOr<SnapshotManifest> DecodeSnapshotManifest(SnapshotDescription description, std::string_view bytes);

// Returns the manifest's files, as paths below `folder`, that are missing there or have another size.
std::vector<std::string> MissingFiles(const SnapshotManifest& manifest, const std::string& folder);

// Encodes one region by itself.
std::string EncodeSnapshotRegion(const SnapshotRegion& region);
absl::StatusOr<SnapshotRegion> DecodeSnapshotRegion(std::string_view bytes);

}  // namespace vaquita

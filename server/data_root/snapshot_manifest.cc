#include "server/data_root/snapshot_manifest.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "base/status.h"
#include "hbase/Snapshot.pb.h"
#include "proto/hbase/schema_codec.h"
#include "proto/hbase/snapshot_codec.h"
#include "server/data_root/checked_bytes.h"

namespace vaquita {
namespace {

absl::Status Corrupted(const std::string& what) {
  return Error(ErrorKind::kCorruptedSnapshot, "Couldn't read snapshot " + what);
}

template <typename Message>
bool ParseChecked(std::string_view bytes, Message* message) {
  const auto checked = WithoutChecksum(bytes);
  return checked.has_value() && ParseMessage(*checked, message);
}

void EncodeRegion(const SnapshotRegion& region, pb::SnapshotRegionManifest* out) {
  EncodeRegionInfo(region.info, out->mutable_region_info());
  if (region.table != nullptr) EncodeTable(*region.table, out->mutable_table_schema());
  for (const auto& [family, files] : region.files) {
    auto* family_files = out->add_family_files();
    family_files->set_family_name(family);
    for (const ExportedFile& file : files) {
      auto* store_file = family_files->add_store_files();
      store_file->set_name(file.name);
      store_file->set_file_size(static_cast<uint64_t>(file.bytes));
      store_file->set_level(file.level);
      store_file->set_smallest_sequence(file.smallest_sequence);
      store_file->set_largest_sequence(file.largest_sequence);
    }
  }
}

absl::StatusOr<SnapshotRegion> DecodeRegion(const pb::SnapshotRegionManifest& message) {
  SnapshotRegion region;
  VAQUITA_ASSIGN_OR_RETURN(region.info, DecodeRegionInfo(message.region_info()));
  if (message.has_table_schema()) {
    VAQUITA_ASSIGN_OR_RETURN(TableDescriptor table, DecodeTable(message.table_schema()));
    region.table = std::make_shared<const TableDescriptor>(std::move(table));
  }
  for (const auto& family : message.family_files()) {
    std::vector<ExportedFile>& files = region.files[family.family_name()];
    for (const auto& file : family.store_files()) {
      files.push_back({.name = file.name(),
                       .level = file.level(),
                       .smallest_sequence = file.smallest_sequence(),
                       .largest_sequence = file.largest_sequence(),
                       .bytes = static_cast<int64_t>(file.file_size())});
    }
  }
  return region;
}

}  // namespace

std::string EncodeSnapshotDescription(const SnapshotDescription& description) {
  pb::SnapshotDescription message;
  EncodeSnapshot(description, &message);
  return WithChecksum(message.SerializeAsString());
}

absl::StatusOr<SnapshotDescription> DecodeSnapshotDescription(std::string_view bytes) {
  pb::SnapshotDescription message;
  if (!ParseChecked(bytes, &message) || !message.has_table()) return Corrupted("info");
  return DecodeSnapshot(message);
}

std::string EncodeSnapshotManifest(const SnapshotManifest& manifest) {
  pb::SnapshotDataManifest message;
  EncodeTable(manifest.table, message.mutable_table_schema());
  for (const SnapshotRegion& region : manifest.regions) EncodeRegion(region, message.add_region_manifests());
  return WithChecksum(message.SerializeAsString());
}

absl::StatusOr<SnapshotManifest> DecodeSnapshotManifest(SnapshotDescription description, std::string_view bytes) {
  pb::SnapshotDataManifest message;
  if (!ParseChecked(bytes, &message) || message.region_manifests_size() == 0) return Corrupted("manifest");
  SnapshotManifest manifest;
  manifest.description = std::move(description);
  VAQUITA_ASSIGN_OR_RETURN(manifest.table, DecodeTable(message.table_schema()));
  if (manifest.table.name != manifest.description.table) return Corrupted("manifest");  // another snapshot's
  for (const pb::SnapshotRegionManifest& region : message.region_manifests()) {
    VAQUITA_ASSIGN_OR_RETURN(SnapshotRegion decoded, DecodeRegion(region));
    manifest.regions.push_back(std::move(decoded));
  }
  return manifest;
}

std::vector<std::string> MissingFiles(const SnapshotManifest& manifest, const std::string& folder) {
  std::vector<std::string> missing;
  for (const SnapshotRegion& region : manifest.regions) {
    for (const auto& [family, files] : region.files) {
      for (const ExportedFile& file : files) {
        const std::string path = region.info.EncodedName() + "/" + family + "/" + file.name;
        std::error_code error;
        const auto bytes = std::filesystem::file_size(folder + "/" + path, error);
        if (error || static_cast<int64_t>(bytes) != file.bytes) missing.push_back(path);
      }
    }
  }
  return missing;
}

std::string EncodeSnapshotRegion(const SnapshotRegion& region) {
  pb::SnapshotRegionManifest message;
  EncodeRegion(region, &message);
  return WithChecksum(message.SerializeAsString());
}

absl::StatusOr<SnapshotRegion> DecodeSnapshotRegion(std::string_view bytes) {
  pb::SnapshotRegionManifest message;
  if (!ParseChecked(bytes, &message) || !message.has_region_info()) return Corrupted("region manifest");
  return DecodeRegion(message);
}

}  // namespace vaquita

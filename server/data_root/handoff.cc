#include "server/data_root/handoff.h"

#include <filesystem>
#include <system_error>

#include "base/durable_files.h"
#include "base/fault_point.h"
#include "base/log.h"
#include "base/status.h"
#include "engine/nonce_store.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;

constexpr const char* kManifest = "/region.manifest";

std::string HandoffRoot(const std::string& root) { return root + "/handoff"; }
std::string DraftRoot(const std::string& owner) { return owner + "/handoff-drafts"; }

}  // namespace

std::string HandoffFolder(const std::string& root, std::string_view encoded_name) {
  return HandoffRoot(root) + "/" + std::string(encoded_name);
}

// The remains of a handoff that was being removed have no manifest.
bool HasHandoff(const std::string& root, std::string_view encoded_name) {
  return PathExists(HandoffFolder(root, encoded_name) + kManifest);
}

absl::StatusOr<std::vector<std::string>> ListHandoffs(const std::string& root) {
  VAQUITA_ASSIGN_OR_RETURN(std::vector<std::string> names, ListFolder(HandoffRoot(root)));
  std::erase_if(names, [&](const std::string& name) { return !HasHandoff(root, name); });
  return names;
}

absl::StatusOr<SnapshotRegion> ReadHandoff(const std::string& root, std::string_view encoded_name) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(HandoffFolder(root, encoded_name) + kManifest));
  auto region = DecodeSnapshotRegion(bytes);
  if (!region.ok() || region->info.EncodedName() != encoded_name) {
    return Error(ErrorKind::kCorruptHFile, HandoffFolder(root, encoded_name) + kManifest + " is damaged");
  }
  return region;
}

absl::Status CheckHandoffFiles(const std::string& root, const SnapshotRegion& region) {
  const std::string folder = HandoffFolder(root, region.info.EncodedName());
  for (const auto& [family, files] : region.files) {
    for (const ExportedFile& file : files) {
      const std::string path = folder + "/" + family + "/" + file.name;
      std::error_code error;
      const auto bytes = fs::file_size(path, error);
      if (error == std::errc::no_such_file_or_directory || (!error && static_cast<int64_t>(bytes) != file.bytes)) {
        return Error(ErrorKind::kCorruptHFile, path + " is missing or has another length");
      }
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<RegionFiles> LinkHandoff(const std::string& root, std::string_view encoded_name,
                                        const std::string& folder) {
  VAQUITA_ASSIGN_OR_RETURN(SnapshotRegion region, ReadHandoff(root, encoded_name));
  region.files.erase(std::string(NonceStore::kFamily));
  for (const auto& [family, files] : region.files) {
    const std::string from = HandoffFolder(root, encoded_name) + "/" + family + "/";
    const std::string to = folder + "/" + family + "/";
    VAQUITA_RETURN_IF_ERROR(CreateFolder(to));
    for (const ExportedFile& file : files) {
      std::error_code error;
      fs::create_hard_link(from + file.name, to + file.name, error);
      if (error) return absl::UnavailableError("link " + from + file.name + ": " + error.message());
    }
  }
  return std::move(region.files);
}

absl::Status RemoveHandoff(const std::string& root, std::string_view encoded_name) {
  const std::string folder = HandoffFolder(root, encoded_name);
  if (!PathExists(folder)) return absl::OkStatus();
  // Without its manifest it is no longer a handoff, even if removing the rest fails.
  // A power cut may not bring it back, since its data would count instead of those that the region got since.
  VAQUITA_RETURN_IF_ERROR(RemoveAll(folder + kManifest));
  VAQUITA_RETURN_IF_ERROR(SyncPath(folder));
  FaultPoint("handoff:unmade");
  return RemoveAll(folder);
}

absl::Status UseUpHandoffs(const std::string& root, const std::string& owner,
                           const std::vector<std::string>& encoded_names) {
  std::error_code error;
  fs::create_directory(DraftRoot(owner), error);  // not `owner`, as for a draft
  if (error) return absl::UnavailableError("create " + DraftRoot(owner) + ": " + error.message());
  const auto use_up = [&](const std::string& name) {
    const std::string used = DraftRoot(owner) + "/used-" + name;
    VAQUITA_RETURN_IF_ERROR(RemoveAll(used));
    VAQUITA_RETURN_IF_ERROR(RenamePath(HandoffFolder(root, name), used));
    FaultPoint("handoff:unmade");
    return RemoveAll(used);
  };
  absl::Status status;
  for (size_t i = 0; status.ok() && i < encoded_names.size(); ++i) status = use_up(encoded_names[i]);
  // After an error, too: a power cut may not bring back those that were renamed before it.
  status.Update(SyncHandoffs(root));
  return status;
}

absl::Status SyncHandoffs(const std::string& root) {
  return PathExists(HandoffRoot(root)) ? SyncPath(HandoffRoot(root)) : absl::OkStatus();
}

absl::StatusOr<HandoffDraft> HandoffDraft::Begin(const std::string& root, const std::string& owner,
                                                 std::string_view encoded_name) {
  std::string folder = DraftRoot(owner) + "/" + std::string(encoded_name);
  VAQUITA_RETURN_IF_ERROR(RemoveAll(folder));
  std::error_code error;
  // Only these two: an owner whose folder was taken away must not make it anew.
  fs::create_directory(DraftRoot(owner), error);
  if (!error) fs::create_directory(folder, error);
  if (error) return absl::UnavailableError("create " + folder + ": " + error.message());
  return HandoffDraft(std::move(folder), HandoffFolder(root, encoded_name));
}

absl::Status HandoffDraft::RemoveLeftovers(const std::string& owner) { return RemoveAll(DraftRoot(owner)); }

HandoffDraft::~HandoffDraft() {
  if (folder_.empty()) return;
  const absl::Status status = RemoveAll(folder_);
  if (!status.ok()) spdlog::warn("{}", status.ToString());  // the owner's next start does
}

absl::Status HandoffDraft::Publish(const SnapshotRegion& region) {
  VAQUITA_RETURN_IF_ERROR(WriteFile(folder_ + kManifest, EncodeSnapshotRegion(region)));
  VAQUITA_RETURN_IF_ERROR(SyncPath(folder_ + kManifest));
  // The first wait for the disk is one for most of what follows.
  VAQUITA_RETURN_IF_ERROR(SyncFolders(folder_));
  FaultPoint("handoff:drafted");
  if (PathExists(place_ + kManifest)) return absl::AlreadyExistsError(place_ + " already exists");
  VAQUITA_RETURN_IF_ERROR(RemoveAll(place_));  // removes the remains of an earlier one
  const std::string handoffs = fs::path(place_).parent_path().string();
  VAQUITA_RETURN_IF_ERROR(CreateFolder(handoffs));
  VAQUITA_RETURN_IF_ERROR(RenamePath(folder_, place_));
  folder_.clear();
  FaultPoint("handoff:published");
  return absl::OkStatus();
}

}  // namespace vaquita

// server/data_root/handoff.h: a region on the way between two servers, as hard links of its store files in a folder of
// the data root.
//
// root/handoff/<encoded name>/ has <family>/<file> and the manifest. It is made as a draft inside the folder of the
// region's server, written to the disk, and published by one rename. So it exists whole or not at all, and a server
// whose folder was taken away can publish no more. Before a region is served its handoff is removed, so an existing
// handoff has all of the region's data. Disk: the manifest is that of a snapshot's region (snapshot_manifest.h).
// Threads: any.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/data_root/snapshot_manifest.h"

namespace vaquita {

std::string HandoffFolder(const std::string& root, std::string_view encoded_name);
bool HasHandoff(const std::string& root, std::string_view encoded_name);

// Returns the encoded names of all regions with a handoff.
absl::StatusOr<std::vector<std::string>> ListHandoffs(const std::string& root);

// Reads a region's manifest. Returns NotFound if the region has no handoff; kCorruptHFile if the manifest cannot be
// read.
absl::StatusOr<SnapshotRegion> ReadHandoff(const std::string& root, std::string_view encoded_name);

// Returns kCorruptHFile if a file of the handoff is missing or cut.
absl::Status CheckHandoffFiles(const std::string& root, const SnapshotRegion& region);

// Links its files into `folder`, which is created, with a folder per family, as Region::Export does.
absl::StatusOr<RegionFiles> LinkHandoff(const std::string& root, std::string_view encoded_name,
                                        const std::string& folder);

// Writes the names of all handoffs to the disk. Call it before the stores that they were made of are dropped.
absl::Status SyncHandoffs(const std::string& root);

// Removes the handoff of a region that no server will serve. Returns OK if it does not exist.
absl::Status RemoveHandoff(const std::string& root, std::string_view encoded_name);

// Removes the handoffs of regions that a server is about to serve, by way of the server's own folder, `owner`. If that
// folder was taken away, because the server was asleep and taken for dead, no handoff is removed, because it may be
// newer than the server's data. The removal is durable.
absl::Status UseUpHandoffs(const std::string& root, const std::string& owner,
                           const std::vector<std::string>& encoded_names);

// A handoff in the making. Its destructor removes it unless it was published.
class HandoffDraft {
 public:
  // `owner`: the folder, below `root`, of the server that has the region.
  static absl::StatusOr<HandoffDraft> Begin(const std::string& root, const std::string& owner,
                                            std::string_view encoded_name);
  // Removes drafts that a crash left. Call it before the owner's first draft.
  static absl::Status RemoveLeftovers(const std::string& owner);
  ~HandoffDraft();
  HandoffDraft(HandoffDraft&& other) noexcept
      : folder_(std::exchange(other.folder_, "")), place_(std::move(other.place_)) {}
  HandoffDraft& operator=(HandoffDraft&&) = delete;

  const std::string& folder() const { return folder_; }  // empty; for the files
  // Publishes the handoff. All of it is on the disk when this returns, except for its name (SyncHandoffs). Returns
  // AlreadyExists if the region has a handoff.
  absl::Status Publish(const SnapshotRegion& region);

 private:
  HandoffDraft(std::string folder, std::string place) : folder_(std::move(folder)), place_(std::move(place)) {}
  std::string folder_;
  std::string place_;
};

}  // namespace vaquita

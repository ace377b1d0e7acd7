// server/data_root/handoff.h: a region between two servers: hard links of its store files, in a folder of the data
// root.
//
// root/handoff/<encoded name>/ has <family>/<file> and the manifest. It is made inside the folder of the server that
// has the region (a draft), written to the disk, and published by one rename: so it is there whole or not at all, and a
// server whose folder was taken away can publish no more. Before a region is served its handoff is removed: one that is
// there holds all of the region. Disk: the manifest is that of a snapshot's region (snapshot_manifest.h). Threads: any.
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

// The encoded names of all regions that have one.
absl::StatusOr<std::vector<std::string>> ListHandoffs(const std::string& root);

// A region's data as it was handed over. NotFound: it has no handoff. kCorruptHFile: its manifest cannot be read.
absl::StatusOr<SnapshotRegion> ReadHandoff(const std::string& root, std::string_view encoded_name);

// kCorruptHFile if a file of the handoff is missing, or cut.
absl::Status CheckHandoffFiles(const std::string& root, const SnapshotRegion& region);

// Links its files into `folder`, which is created, a folder per family: as Region::Export.
absl::StatusOr<RegionFiles> LinkHandoff(const std::string& root, std::string_view encoded_name,
                                        const std::string& folder);

// Which handoffs there are is on the disk from now on. Before what they were made of goes.
absl::Status SyncHandoffs(const std::string& root);

// Of a region that nobody serves, now or later. OK if there is none.
absl::Status RemoveHandoff(const std::string& root, std::string_view encoded_name);

// The same for a server that is about to serve the regions: by way of its own folder, `owner`. If that was taken away,
// because the server was asleep and taken for dead, nothing goes: what is there by now may be newer than what it has.
// Durable.
absl::Status UseUpHandoffs(const std::string& root, const std::string& owner,
                           const std::vector<std::string>& encoded_names);

// A handoff in the making; what was not published goes with it.
class HandoffDraft {
 public:
  // `owner`: the folder, below `root`, of the server that has the region.
  static absl::StatusOr<HandoffDraft> Begin(const std::string& root, const std::string& owner,
                                            std::string_view encoded_name);
  // Removes what a crash left of drafts. Before the owner's first.
  static absl::Status RemoveLeftovers(const std::string& owner);
  ~HandoffDraft();
  HandoffDraft(HandoffDraft&& other) noexcept
      : folder_(std::exchange(other.folder_, "")), place_(std::move(other.place_)) {}
  HandoffDraft& operator=(HandoffDraft&&) = delete;

  const std::string& folder() const { return folder_; }  // empty; for the files
  // From now on the handoff is there, and all of it on the disk, but for its name: SyncHandoffs. AlreadyExists.
  absl::Status Publish(const SnapshotRegion& region);

 private:
  HandoffDraft(std::string folder, std::string place) : folder_(std::move(folder)), place_(std::move(place)) {}
  std::string folder_;
  std::string place_;
};

}  // namespace vaquita

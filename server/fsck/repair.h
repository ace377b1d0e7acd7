// server/fsck/repair.h: the repairs of a stopped data root.
//
// No repair deletes user data: they move to root/sideline/<when>/ first, rows of hbase:meta as text, regions as folders
// like handoffs. After a crash in the middle of a repair the next check finds the rest.
// Threads: one. Source of the rules: MetaFixer (2.6), HBCK2's addFsRegionsMissingInMeta and sideline.
#pragma once

#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/data_root/sideline.h"
#include "server/fsck/data_root.h"
#include "server/fsck/finding.h"
#include "server/master/meta/monotonic_timestamps.h"

namespace vaquita::fsck {

class Repairer {
 public:
  explicit Repairer(DataRoot* root);  // `root` outlives it

  // `picture` is from the last Survey of `root`. Returns a line that says what was done.
  absl::StatusOr<std::string> Execute(const Repair& repair, const Picture& picture);

  // Returns the folder for removed data, which is created with the first of them.
  const std::string& sideline() const { return sideline_; }

 private:
  absl::StatusOr<std::string> RebuildMeta(const Picture& picture);
  absl::StatusOr<std::string> BringBack(const Repair& repair, const Picture& picture);
  absl::StatusOr<std::string> RemoveRow(const Repair& repair);
  absl::StatusOr<std::string> PutTableState(const Repair& repair);
  absl::StatusOr<std::string> PutDescriptor(const Repair& repair, const Picture& picture);
  absl::StatusOr<std::string> ForgetMissingFiles(const Repair& repair, const Picture& picture);
  absl::StatusOr<std::string> RestoreParent(const Repair& repair, const Picture& picture);
  absl::StatusOr<std::string> Adopt(const Repair& repair, const Picture& picture);
  absl::StatusOr<std::string> AdoptAs(const Repair& repair, const Picture& picture);
  absl::StatusOr<std::string> MakeEmpty(const Repair& repair, const Picture& picture);
  absl::StatusOr<std::string> CreateStore(const Repair& repair, const Picture& picture);
  absl::StatusOr<std::string> MergeByCopy(const Repair& repair, const Picture& picture);
  absl::StatusOr<std::string> Sideline(const Repair& repair, const Picture& picture);

  absl::Status KeepRow(const std::string& key);
  // Links the region's files into the sideline, after a flush, and drops its stores.
  absl::StatusOr<SidelinedRegion> SidelineRegion(const RegionData& data, const std::string& family,
                                                 const Picture& picture);
  // Returns the table's descriptor, or the most probable one.
  static absl::StatusOr<std::shared_ptr<const TableDescriptor>> TableOf(const RegionInfo& region,
                                                                        const Picture& picture);
  static const RegionData* FindData(const std::string& place, const std::string& region, const Picture& picture);
  // Returns a new region with these rows.
  RegionInfo NewRegion(const RegionInfo& rows, const Picture& picture);
  absl::Status PutRegion(const RegionInfo& region, const RegionData* data, const Picture& picture);
  static void AddRegion(const RegionInfo& region, const RegionData* data, const Picture& picture, MetaEdit* edit);

  DataRoot* const root_;
  MonotonicTimestamps ids_;
  const std::string sideline_;
  std::set<std::string> mended_;  // places whose missing files are handled
};

}  // namespace vaquita::fsck

// server/fsck/repair.h: the repairs of a stopped data root.
//
// No repair deletes user data: what has to go moves to root/sideline/<when>/ first: rows of hbase:meta as text, regions
// as folders like handoffs. A crash in the middle of a repair leaves a root that the next check finds the rest in.
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
  explicit Repairer(DataRoot* root);  // outlives it

  // `picture` is of the root's last Look. Answers what it did, in one line.
  absl::StatusOr<std::string> Do(const Repair& repair, const Picture& picture);

  // The folder that takes what had to go; it is there once something had.
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
  // Links the region's files into the sideline, the memstore's cells too, and drops its stores.
  absl::StatusOr<SidelinedRegion> SidelineRegion(const RegionData& data, const std::string& family,
                                                 const Picture& picture);
  // The table's descriptor, or what is most probably like it.
  static absl::StatusOr<std::shared_ptr<const TableDescriptor>> TableOf(const RegionInfo& region,
                                                                        const Picture& picture);
  static const RegionData* FindData(const std::string& place, const std::string& region, const Picture& picture);
  // A region of `table` that never was, with these rows.
  RegionInfo NewRegion(const RegionInfo& rows, const Picture& picture);
  absl::Status PutRegion(const RegionInfo& region, const RegionData* data, const Picture& picture);
  static void AddRegion(const RegionInfo& region, const RegionData* data, const Picture& picture, MetaEdit* edit);

  DataRoot* const root_;
  MonotonicTimestamps ids_;
  const std::string sideline_;
  std::set<std::string> mended_;  // places without missing files by now
};

}  // namespace vaquita::fsck

// server/control/region_server_control.h: the commands of a master to a region server.
//
// Execute takes the commands of the assignment (command.h); the other methods are those of procedures and
// administrators. A RegionServer in the master's own process (standalone) is called directly; others are reached by
// gRPC (grpc_region_server_control.h), which adds what a network needs and callers never see: the master's epoch, and
// ids that make a repeated or late message harmless.
//
// Errors: Unanswered if the server cannot be reached or did not answer in time. The command may be done then, which the
// server's next report shows. Every method may be repeated after an error. Threads: any; a method returns when it is
// done, which may take as long as a flush.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/status.h"
#include "model/region_info.h"
#include "model/store_metrics.h"
#include "model/table_descriptor.h"
#include "region/region.h"
#include "server/control/command.h"
#include "server/control/membership.h"

namespace vaquita {

// The first status that is not OK, or OK.
inline absl::Status FirstError(const std::vector<absl::Status>& statuses) {
  for (const absl::Status& status : statuses) {
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

class RegionServerControl {
 public:
  virtual ~RegionServerControl() = default;

  // Carries out a command for all regions that it can, and gives each region its own status.
  virtual CommandResult Execute(const Command& command) = 0;

  // Makes the missing stores of regions, and opens the regions; it does not serve them. After an error kClose and
  // DropRegions remove the leftovers.
  virtual absl::Status CreateRegions(const std::vector<RegionInfo>& infos,
                                     std::shared_ptr<const TableDescriptor> table) = 0;
  // Drops the stores of regions, by encoded name, for the families of `table`. Their handoffs stay. A region that lost
  // all of its stores by this opens empty. FailedPrecondition if a region is open and has such a family.
  virtual absl::Status DropRegions(const std::vector<std::string>& regions, const TableDescriptor& table) = 0;
  // Gives the stores of a region, by encoded name, the options of its altered table. If the region is closed, the
  // stores of new families are made when it opens.
  virtual absl::Status AlterRegion(std::string_view region, std::shared_ptr<const TableDescriptor> table) = 0;

  // Runs Region::Export of open or closed regions, each into a folder of its encoded name below `folder`. It always
  // flushes the memstores of a closed region, which a crash may have left.
  virtual absl::StatusOr<std::vector<RegionFiles>> ExportRegions(const std::vector<RegionInfo>& infos,
                                                                 std::shared_ptr<const TableDescriptor> table,
                                                                 const std::string& folder, bool flush) = 0;
  // Runs Region::Import, for CreateRegions or kOpen.
  virtual absl::Status ImportRegions(const std::vector<RegionImport>& regions, const TableDescriptor& table) = 0;

  // Flushes the named families, or all if none is named. kNoSuchColumnFamily.
  virtual absl::Status FlushRegion(std::string_view region, const std::vector<std::string>& families) = 0;
  // `family` empty: all. `wait` false: it is only queued.
  virtual absl::Status CompactRegion(std::string_view region, std::string_view family, CompactionKind kind,
                                     bool wait) = 0;

  virtual absl::StatusOr<ServerReport> Report() = 0;

  // Users' rights from now on, unless the server knows later ones.
  virtual absl::Status SetPermissions(std::shared_ptr<const Permissions> permissions) = 0;
};

}  // namespace vaquita

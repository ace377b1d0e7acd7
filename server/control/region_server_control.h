// server/control/region_server_control.h: the commands of a master to a region server.
//
// The master decides; a region server only does as it is told. A RegionServer in the master's own process (standalone)
// is called directly; others are reached by gRPC (grpc_region_server_control.h), which adds what a network needs and
// callers never see: the master's epoch, and command ids that make a repeated or late message harmless.
//
// An opening: meta OPENING(server); OpenRegions; meta OPEN; ServeRegions. So nothing is acknowledged that meta does not
// know where to find. Before it, if the region is elsewhere: meta CLOSING; CloseRegions; ReleaseRegions there. Every
// method may be repeated after an error, a lost answer or a crash of either side: what is done is not done again. So
// whoever finds a region in the middle of this, by meta and the reports, repeats the step.
//
// Where a region's data is ("home"): in its handoff (server/data_root/handoff.h: ListHandoffs), if there is one; else
// in the folder of the server where it was open last, which meta says also of a closed one. A handoff is there whole or
// not at all, and it is removed before the region is served: so nothing was written since, wherever else a crash left
// files.
//
// Errors: a method of many regions gives each one its own status, in the order of the arguments, and does all it can.
// Unanswered: the server cannot be reached or did not answer in time; then it is unknown what was done, and the next
// report will tell. Threads: any; a method returns when it is done, which may take as long as a flush.
// Source: AdminService's executeProcedures, OpenRegionRequest, CloseRegionRequest, SplitWALCallable (2.6).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/status.h"
#include "model/region_info.h"
#include "model/region_to_open.h"
#include "model/store_metrics.h"
#include "model/table_descriptor.h"
#include "region/region.h"
#include "server/control/membership.h"

namespace vaquita {

// The first status that is not OK, or OK.
inline absl::Status FirstError(const std::vector<absl::Status>& statuses) {
  for (const absl::Status& status : statuses) {
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// Returns the error, Unavailable, of a command that a server did not answer: it may be done or not.
absl::Status Unanswered(std::string_view message);
// Returns whether `status` came from Unanswered, so is not the server's own.
bool IsUnanswered(const absl::Status& status);

enum class TransitionEnd { kCommit, kRollBack };

class RegionServerControl {
 public:
  virtual ~RegionServerControl() = default;

  // Makes the stores of regions, those that are missing, and opens them; they are not served. All or, after an error,
  // leftovers that CloseRegions and DropRegions take.
  virtual absl::Status CreateRegions(const std::vector<RegionInfo>& infos,
                                     std::shared_ptr<const TableDescriptor> table) = 0;
  // Opens regions; they are not served, unless they were before. One with a handoff is made of that, in place of what a
  // crash left of it here. NotFound: there is nothing of it here, and no handoff. DataLoss or kCorruptHFile: its data
  // here are damaged or missing, or RegionOfTable::refusal says so, which clients who ask for it are told from then on.
  virtual std::vector<absl::Status> OpenRegions(const std::vector<RegionOfTable>& regions) = 0;
  // Removes the regions' handoffs; from then on clients are answered. By encoded names. kNotServingRegion: the region
  // is not open here.
  virtual std::vector<absl::Status> ServeRegions(const std::vector<std::string>& regions) = 0;
  // Closes regions, after they wrote their memstores to files, most of it while they still serve; the stores stay. By
  // encoded names. `destination`: the name of the server where they will open, which clients are told; empty: unknown.
  // kNotServingRegion: it is not open here, so closed already.
  virtual std::vector<absl::Status> CloseRegions(const std::vector<std::string>& regions,
                                                 std::string_view destination) = 0;
  // Hands closed regions over: links their files into handoffs, then drops their stores. FailedPrecondition: it is
  // open. NotFound: there is nothing of it here, and no handoff.
  virtual std::vector<absl::Status> ReleaseRegions(const std::vector<RegionOfTable>& regions) = 0;
  // Drops the stores that regions, by their encoded names, have for the families of `table`. Their handoffs stay: these
  // may be leftovers of a region whose data is there. A region that lost all of its stores so opens empty.
  // FailedPrecondition: one is open, and has such a family.
  virtual absl::Status DropRegions(const std::vector<std::string>& regions, const TableDescriptor& table) = 0;
  // The table was altered. Of a closed region, known by its encoded name, the stores that stay take their new options;
  // those of new families come when it opens.
  virtual absl::Status AlterRegion(std::string_view region, std::shared_ptr<const TableDescriptor> table) = 0;

  // A split or merge as region/split.h cuts it: Begin closes the parents and makes the new regions; the master switches
  // meta in one edit, or does not, and says which by EndTransition; then the new regions are served, or the parents
  // again. Begin repeated answers what it did. `split_row` empty: the region's own split point.
  virtual absl::StatusOr<PendingTransition> BeginSplit(std::string_view region, std::string_view split_row) = 0;
  virtual absl::StatusOr<PendingTransition> BeginMerge(const std::vector<std::string>& regions, bool forcible) = 0;
  // By PendingTransition::id. One that is not pending has ended: OK.
  virtual absl::Status EndTransition(std::string_view id, TransitionEnd end) = 0;

  // Recovers a server that is dead, or only seems so: takes its folder away by renaming it, replays its log and makes a
  // handoff of every region of `regions`, which are all whose home it is; then the folder goes, and what else it has
  // goes to the sideline if it is data. A status each: OK, its handoff is there; NotFound, there is no data of it;
  // DataLoss, they are damaged, and the folder stays; other errors leave the folder for another try. An error of the
  // whole: nothing could be done.
  virtual absl::StatusOr<std::vector<absl::Status>> RecoverServer(std::string_view dead_server,
                                                                  const std::vector<RegionOfTable>& regions) = 0;

  // Region::Export of regions, open or closed, each into a folder of its encoded name below `folder`. What a crash left
  // in a closed one's memstores is flushed always.
  virtual absl::StatusOr<std::vector<RegionFiles>> ExportRegions(const std::vector<RegionInfo>& infos,
                                                                 std::shared_ptr<const TableDescriptor> table,
                                                                 const std::string& folder, bool flush) = 0;
  // Region::Import, for CreateRegions or OpenRegions.
  virtual absl::Status ImportRegions(const std::vector<RegionImport>& regions, const TableDescriptor& table) = 0;

  // Flushes the named families, or all if none is named. kNoSuchColumnFamily.
  virtual absl::Status FlushRegion(std::string_view region, const std::vector<std::string>& families) = 0;
  // `family` empty: all. `wait` false: it is only queued.
  virtual absl::Status CompactRegion(std::string_view region, std::string_view family, CompactionKind kind,
                                     bool wait) = 0;

  virtual absl::StatusOr<ServerReport> Report() = 0;
};

}  // namespace vaquita

// server/master/assignment/region_assigner.h: opening, closing, moving, splitting and merging regions of tables that
// there are.
//
// Each method keeps hbase:meta and the catalog in step with what the servers do, waits for the end, and says how it
// went; what is done already is not done again. Callers see to it that no two work on one table at a time. Threads:
// any. Source: AssignmentManager, TransitRegionStateProcedure (2.6).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "server/master/meta/assigned_region.h"

namespace vaquita {

// Since the master's start.
struct AssignmentCounters {
  int64_t opened = 0;
  int64_t closed = 0;
  int64_t moves = 0;
  int64_t splits = 0;
  int64_t merges = 0;
  int64_t failed_steps = 0;  // what servers refused
  int64_t adoptions = 0;
  int64_t recoveries = 0;
  int64_t recovery_ms = 0;  // of all of them, from the command to its end
};

class RegionAssigner {
 public:
  virtual ~RegionAssigner() = default;

  // Regions that are about to be made, each at its home, and that meta is to have then: should the home die meanwhile,
  // nothing of them is lost. Then ServeNew or Forget.
  virtual void Expect(const std::vector<AssignedRegion>& regions) {}
  // Regions that meta has from now on: those that are OPEN, and not served yet, are served; the CLOSED ones rest.
  virtual absl::Status ServeNew(const std::vector<AssignedRegion>& regions) = 0;
  // Regions that meta has no more, or that did not come.
  virtual void Forget(const std::vector<AssignedRegion>& regions) = 0;

  // Where new regions may be made, by name: not where a server is being emptied, if there is another.
  virtual std::vector<std::string> ServersForNewRegions() const = 0;

  // Waits until what a server that died had is in handoffs, of regions that are not open elsewhere by then.
  virtual absl::Status AwaitRecovery(std::string_view server_name) { return absl::OkStatus(); }

  // Opens closed regions: where they were open last, or else anywhere.
  virtual absl::Status Open(const std::vector<AssignedRegion>& regions) = 0;
  virtual absl::Status Close(const std::vector<AssignedRegion>& regions) = 0;
  // `server_name` empty: any other server. A region that is there already stays; in standalone it is closed and opened
  // for any other name.
  virtual absl::Status Move(const AssignedRegion& region, std::string_view server_name) = 0;

  // `split_row` empty: the region's own split point.
  virtual absl::Status Split(const AssignedRegion& parent, std::string_view split_row) = 0;
  virtual absl::Status Merge(const std::vector<AssignedRegion>& parents, bool forcible) = 0;

  virtual AssignmentCounters counters() const = 0;
};

}  // namespace vaquita

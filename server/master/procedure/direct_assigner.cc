#include "server/master/procedure/direct_assigner.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "model/encoded_names.h"
#include "server/master/meta/region_changes.h"
#include "server/master/procedure/master_parts.h"
#include "server/master/procedure/regions_by_server.h"
#include "server/master/procedure/table_regions.h"

namespace vaquita {
namespace {

// Not open there: it is closed already.
absl::Status FirstFailedClose(const std::vector<absl::Status>& statuses) {
  for (const absl::Status& status : statuses) {
    if (!status.ok() && !IsError(status, ErrorKind::kNotServingRegion)) return status;
  }
  return absl::OkStatus();
}

class DirectAssigner final : public RegionAssigner {
 public:
  explicit DirectAssigner(MasterParts* master) : master_(*master) {}

  absl::Status ServeNew(const std::vector<AssignedRegion>& regions) override;
  void Forget(const std::vector<AssignedRegion>&) override {}
  std::vector<std::string> ServersForNewRegions() const override { return master_.servers.Names(); }
  absl::Status Open(const std::vector<AssignedRegion>& regions) override;
  absl::Status Close(const std::vector<AssignedRegion>& regions) override { return CloseFor(regions, ""); }
  absl::Status Move(const AssignedRegion& region, std::string_view server_name) override;
  absl::Status Split(const AssignedRegion& parent, std::string_view split_row) override;
  absl::Status Merge(const std::vector<AssignedRegion>& parents, bool forcible) override;
  AssignmentCounters counters() const override;

 private:
  void Count(int64_t AssignmentCounters::*counter, size_t by = 1);
  absl::StatusOr<std::vector<RegionOfTable>> WithTables(const std::vector<AssignedRegion>& regions) const;
  absl::Status OpenAt(RegionServerControl& server, std::string_view server_name,
                      const std::vector<AssignedRegion>& regions);
  absl::Status CloseFor(const std::vector<AssignedRegion>& regions, std::string_view destination);
  // Has `commit` write meta between the two halves of a split or merge; if it fails, all is rolled back.
  absl::Status Transit(RegionServerControl& server, const absl::StatusOr<PendingTransition>& begun,
                       const std::function<absl::Status(const PendingTransition&)>& commit);

  MasterParts& master_;
  mutable std::mutex mutex_;
  AssignmentCounters counters_;  // under mutex_
};

AssignmentCounters DirectAssigner::counters() const {
  std::lock_guard lock(mutex_);
  return counters_;
}

void DirectAssigner::Count(int64_t AssignmentCounters::*counter, size_t by) {
  std::lock_guard lock(mutex_);
  counters_.*counter += static_cast<int64_t>(by);
}

absl::Status DirectAssigner::ServeNew(const std::vector<AssignedRegion>& regions) {
  std::vector<AssignedRegion> open;
  std::copy_if(regions.begin(), regions.end(), std::back_inserter(open),
               [](const AssignedRegion& region) { return region.state == RegionState::kOpen; });
  return AtHome(master_, open, [](RegionServerControl& server, const std::vector<AssignedRegion>& step) {
    return FirstError(server.ServeRegions(EncodedNames(step)));
  });
}

absl::StatusOr<std::vector<RegionOfTable>> DirectAssigner::WithTables(
    const std::vector<AssignedRegion>& regions) const {
  std::vector<RegionOfTable> with_tables;
  for (const AssignedRegion& region : regions) {
    VAQUITA_ASSIGN_OR_RETURN(auto table, master_.catalog.Descriptor(region.info.table));
    with_tables.push_back({region.info, std::move(table)});
  }
  return with_tables;
}

absl::Status DirectAssigner::OpenAt(RegionServerControl& server, std::string_view server_name,
                                    const std::vector<AssignedRegion>& regions) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<RegionOfTable> with_tables, WithTables(regions));
  for (size_t i = 0; i < regions.size(); ++i) {
    const bool never_open = regions[i].home.empty();
    if (never_open) VAQUITA_RETURN_IF_ERROR(server.CreateRegions({regions[i].info}, with_tables[i].table));
  }
  const std::vector<absl::Status> statuses = server.OpenRegions(with_tables);
  std::vector<AssignedRegion> changed;
  std::vector<std::string> open;
  absl::Status failed;
  for (size_t i = 0; i < regions.size(); ++i) {
    if (!statuses[i].ok() && !absl::IsDataLoss(statuses[i])) return statuses[i];
    AssignedRegion& region = changed.emplace_back(regions[i]);
    region.home = server_name;
    region.state = statuses[i].ok() ? RegionState::kOpen : RegionState::kFailedOpen;
    region.server_name = statuses[i].ok() ? region.home : "";
    if (statuses[i].ok()) open.push_back(region.info.EncodedName());
    failed.Update(statuses[i]);  // the others serve
  }
  VAQUITA_RETURN_IF_ERROR(CommitStates(master_.records(), changed));
  Count(&AssignmentCounters::opened, open.size());
  VAQUITA_RETURN_IF_ERROR(FirstError(server.ServeRegions(open)));
  return failed;
}

absl::Status DirectAssigner::Open(const std::vector<AssignedRegion>& regions) {
  return AtHome(master_, regions, [this](RegionServerControl& server, const std::vector<AssignedRegion>& step) {
    return OpenAt(server, master_.HomeOf(step.front()), step);
  });
}

absl::Status DirectAssigner::CloseFor(const std::vector<AssignedRegion>& regions, std::string_view destination) {
  return AtHome(master_, regions, [&](RegionServerControl& server, const std::vector<AssignedRegion>& step) {
    VAQUITA_RETURN_IF_ERROR(FirstFailedClose(server.CloseRegions(EncodedNames(step), destination)));
    std::vector<AssignedRegion> closed = step;
    for (AssignedRegion& region : closed) {
      region.state = RegionState::kClosed;
      region.server_name.clear();
      region.home = master_.HomeOf(region);
    }
    Count(&AssignmentCounters::closed, closed.size());
    return CommitStates(master_.records(), closed);
  });
}

absl::Status DirectAssigner::Move(const AssignedRegion& region, std::string_view server_name) {
  std::vector<std::string> others = master_.servers.Names();
  const bool alone = others.size() == 1;
  std::erase(others, region.server_name);
  std::string target(server_name);
  if (target == region.server_name || (target.empty() && others.empty())) return absl::OkStatus();
  if (target.empty()) target = others[static_cast<size_t>(region.info.id) % others.size()];
  if (alone) target = region.server_name;
  VAQUITA_ASSIGN_OR_RETURN(const auto to, master_.servers.Find(target));
  VAQUITA_ASSIGN_OR_RETURN(const auto from, ServerOf(master_, region));
  VAQUITA_RETURN_IF_ERROR(CloseFor({region}, alone ? "" : target));
  if (!alone) {
    VAQUITA_ASSIGN_OR_RETURN(const std::vector<RegionOfTable> with_table, WithTables({region}));
    VAQUITA_RETURN_IF_ERROR(FirstError(from->ReleaseRegions(with_table)));
  }
  VAQUITA_RETURN_IF_ERROR(OpenAt(*to, target, {region}));
  Count(&AssignmentCounters::moves);
  return absl::OkStatus();
}

absl::Status DirectAssigner::Transit(RegionServerControl& server, const absl::StatusOr<PendingTransition>& begun,
                                     const std::function<absl::Status(const PendingTransition&)>& commit) {
  VAQUITA_RETURN_IF_ERROR(begun.status());
  const absl::Status status = commit(*begun);
  const TransitionEnd end = status.ok() ? TransitionEnd::kCommit : TransitionEnd::kRollBack;
  const absl::Status ended = server.EndTransition(begun->id, end);
  if (status.ok() || ended.ok()) return status.ok() ? ended : status;
  return Annotate(status, "not undone (" + ended.ToString() + "), after");
}

absl::Status DirectAssigner::Split(const AssignedRegion& parent, std::string_view split_row) {
  VAQUITA_ASSIGN_OR_RETURN(const auto server, ServerOf(master_, parent));
  return Transit(
      *server, server->BeginSplit(parent.info.EncodedName(), split_row), [&](const PendingTransition& split) {
        Count(&AssignmentCounters::splits);
        return CommitReplacement(master_.records(), {true, split.parents, split.new_regions, parent.server_name});
      });
}

absl::Status DirectAssigner::Merge(const std::vector<AssignedRegion>& parents, bool forcible) {
  const std::string& server_name = parents[0].server_name;
  // As HBase does, which merges where the first of them is.
  for (size_t i = 1; i < parents.size(); ++i) {
    if (parents[i].server_name != server_name) VAQUITA_RETURN_IF_ERROR(Move(parents[i], server_name));
  }
  VAQUITA_ASSIGN_OR_RETURN(const auto server, ServerOf(master_, parents[0]));
  return Transit(*server, server->BeginMerge(EncodedNames(parents), forcible), [&](const PendingTransition& merge) {
    Count(&AssignmentCounters::merges);
    return CommitReplacement(master_.records(), {false, merge.parents, merge.new_regions, server_name});
  });
}

}  // namespace

std::unique_ptr<RegionAssigner> MakeDirectAssigner(MasterParts* master) {
  return std::make_unique<DirectAssigner>(master);
}

}  // namespace vaquita

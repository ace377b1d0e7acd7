#include "client/batch.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/action_view.h"
#include "client/nonce.h"
#include "client/retries.h"
#include "model/request_check.h"

namespace vaquita::client {
namespace {

constexpr size_t kMaxRequestBytes = 4 << 20;

// The actions of one region's request.
struct Group {
  RegionBatch batch;
  std::vector<size_t> indexes;
  size_t bytes = 0;
};

class Run {
 public:
  Run(Cluster& cluster, const TableName& table, std::span<const Action> actions)
      : cluster_(cluster), table_(table), actions_(actions), results_(actions.size()), retries_(cluster.options) {
    nonces_.reserve(actions.size());
    for (size_t i = 0; i < actions.size(); ++i) nonces_.push_back(NextNonce());
  }

  std::vector<ActionResult> Execute() {
    std::vector<size_t> pending;
    for (size_t i = 0; i < actions_.size(); ++i) {
      results_[i].status = CheckRequest(actions_[i]);
      if (results_[i].status.ok()) pending.push_back(i);
    }
    while (!pending.empty()) {
      std::vector<size_t> next = Round(pending);
      if (has_progress_) retries_.NoteProgress();
      if (!failure_.ok() && !next.empty()) retries_.Pause(failure_);
      pending = std::move(next);
    }
    return std::move(results_);
  }

 private:
  // Sends one request per region, as large as allowed. Returns the remaining actions, in order.
  std::vector<size_t> Round(const std::vector<size_t>& pending) {
    failure_ = absl::OkStatus();
    has_progress_ = false;
    lookup_ = {};
    next_.clear();
    attempt_deadline_ = retries_.AttemptDeadline();
    group_of_.clear();
    group_at_.clear();
    std::vector<Group> groups;
    for (size_t index : pending) Assign(index, &groups);
    std::vector<RegionBatch> batches;
    for (Group& group : groups) batches.push_back(std::move(group.batch));
    cluster_.link->RunBatches(batches, attempt_deadline_);
    for (size_t i = 0; i < groups.size(); ++i) Collect(groups[i].indexes, batches[i]);
    std::sort(next_.begin(), next_.end());
    return std::move(next_);
  }

  // Actions on one row stay in one group, so in their order, also if the region was looked up anew meanwhile.
  Group& GroupOf(const Located& region, std::vector<Group>* groups) {
    const auto [entry, is_new] = group_of_.try_emplace(region.get(), groups->size());
    if (!is_new) return (*groups)[entry->second];
    const RegionInfo& info = region->location.info;
    const auto [same, is_other] = group_at_.try_emplace(info.start_key, groups->size());
    if (!is_other && (*groups)[same->second].batch.region->location.info == info) entry->second = same->second;
    if (entry->second == groups->size()) groups->push_back({.batch = {.region = region}});
    return (*groups)[entry->second];
  }

  void Assign(size_t index, std::vector<Group>* groups) {
    const Action& action = actions_[index];
    Located region;
    // One look-up that fails speaks for all: else a table that does not exist would be asked for once per action.
    if (lookup_.ok()) lookup_ = cluster_.locator.Locate(table_, RowOf(action), attempt_deadline_, &region);
    if (!lookup_.ok()) {
      Fail(index, lookup_);
      return;
    }
    Group& group = GroupOf(region, groups);
    if (group.bytes >= kMaxRequestBytes) {
      next_.push_back(index);
      return;
    }
    group.batch.actions.push_back({&action, nonces_[index]});
    group.bytes += SizeOf(action);
    group.indexes.push_back(index);
  }

  void Collect(const std::vector<size_t>& indexes, RegionBatch& batch) {
    if (batch.outcome.ok() && batch.results.size() != indexes.size()) {
      batch.outcome.status = absl::InternalError(
          absl::StrCat("the server answered ", batch.results.size(), " of ", indexes.size(), " actions"));
    }
    if (!batch.outcome.ok()) {
      batch.outcome.status = cluster_.locator.Report(batch.region, batch.outcome.status, attempt_deadline_);
      for (size_t index : indexes) Fail(index, batch.outcome);
      return;
    }
    for (size_t i = 0; i < indexes.size(); ++i) {
      ActionResult& result = batch.results[i];
      if (result.status.ok()) {
        has_progress_ = true;
        results_[indexes[i]] = std::move(result);
      } else {
        Fail(indexes[i], {ReportOnce(batch.region, result.status)});
      }
    }
  }

  // One look-up is enough for all actions that a region refused.
  absl::Status ReportOnce(const Located& region, const absl::Status& status) {
    if (reported_ != region || reported_status_ != status) {
      told_status_ = cluster_.locator.Report(region, status, attempt_deadline_);
      reported_ = region;
      reported_status_ = status;
    }
    return told_status_;
  }

  void Fail(size_t index, const CallOutcome& outcome) {
    if (retries_.MayRepeat(outcome, RepeatableOf(actions_[index], cluster_.link->KnowsRepeatsOf(actions_[index])))) {
      failure_ = outcome.status;
      next_.push_back(index);
    } else {
      results_[index].status = outcome.status;
    }
  }

  Cluster& cluster_;
  const TableName& table_;
  const std::span<const Action> actions_;
  std::vector<uint64_t> nonces_;  // one for each action, the same in every attempt
  std::vector<ActionResult> results_;
  Retries retries_;

  // State of the present round.
  TimePoint attempt_deadline_;
  std::map<const LocatedRegion*, size_t> group_of_;
  std::map<std::string, size_t> group_at_;  // by the region's start
  bool has_progress_ = false;               // an action has succeeded
  CallOutcome lookup_;
  std::vector<size_t> next_;
  absl::Status failure_;  // the last one of the round that is worth another
  Located reported_;
  absl::Status reported_status_, told_status_;
};

}  // namespace

std::vector<ActionResult> RunBatch(Cluster& cluster, const TableName& table, std::span<const Action> actions) {
  return Run(cluster, table, actions).Execute();
}

}  // namespace vaquita::client

#include "client/batch.h"

#include <algorithm>
#include <latch>
#include <map>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/retries.h"
#include "proto/data_codec.h"

namespace vaquita::client {
namespace {

constexpr size_t kMaxRequestBytes = 4 << 20;

// The actions of one request.
struct Group {
  Located region;
  std::vector<size_t> indexes;
  size_t bytes = 0;
  v1::BatchRequest request;
  v1::BatchResponse response;
  grpc::ClientContext context;
  CallOutcome outcome;
};

class Run {
 public:
  Run(Cluster& cluster, const TableName& table, std::span<const Action> actions)
      : cluster_(cluster), table_(table), actions_(actions), results_(actions.size()), retries_(cluster.options) {}

  std::vector<ActionResult> Execute() {
    std::vector<size_t> pending(actions_.size());
    for (size_t i = 0; i < pending.size(); ++i) pending[i] = i;
    while (!pending.empty()) {
      std::vector<size_t> next = Round(pending);
      if (any_failed_ && !next.empty()) retries_.Pause();
      pending = std::move(next);
    }
    return std::move(results_);
  }

 private:
  // Sends what fits one request per region. Returns the actions that are still to be done, in order.
  std::vector<size_t> Round(const std::vector<size_t>& pending) {
    any_failed_ = false;
    lookup_ = {};
    next_.clear();
    attempt_deadline_ = retries_.AttemptDeadline();
    std::map<const LocatedRegion*, std::unique_ptr<Group>> groups;
    for (size_t index : pending) Assign(index, &groups);
    if (!cluster_.link.Connect(attempt_deadline_)) {
      for (auto& [region, group] : groups) group->outcome = cluster_.link.NotConnected();
    } else if (groups.size() == 1) {
      Send(*groups.begin()->second);
    } else {
      SendAll(groups);
    }
    for (auto& [region, group] : groups) Collect(*group);
    std::sort(next_.begin(), next_.end());
    return std::move(next_);
  }

  void Assign(size_t index, std::map<const LocatedRegion*, std::unique_ptr<Group>>* groups) {
    Located region;
    // One look-up that fails speaks for all: else a table that does not exist would be asked for once per action.
    if (lookup_.ok()) lookup_ = cluster_.locator.Locate(table_, RowOf(actions_[index]), attempt_deadline_, &region);
    if (!lookup_.ok()) {
      Fail(index, lookup_);
      return;
    }
    std::unique_ptr<Group>& group = (*groups)[region.get()];
    if (group == nullptr) {
      group = std::make_unique<Group>();
      group->region = region;
      group->request.set_region(region->encoded_name);
      group->request.set_cells_as_block(true);
      group->context.set_deadline(attempt_deadline_);
    }
    if (group->bytes >= kMaxRequestBytes) {
      next_.push_back(index);
      return;
    }
    v1::Action* action = group->request.add_actions();
    ToProto(actions_[index], action);
    group->bytes += action->ByteSizeLong();
    group->indexes.push_back(index);
  }

  void Send(Group& group) {
    group.outcome = OutcomeOf(cluster_.link.data().Batch(&group.context, group.request, &group.response));
  }

  void SendAll(std::map<const LocatedRegion*, std::unique_ptr<Group>>& groups) {
    const auto done =
        std::make_shared<std::latch>(groups.size());  // shared: a callback may still be in it when wait() returns
    for (auto& [region, entry] : groups) {
      Group* group = entry.get();
      cluster_.link.data().async()->Batch(&group->context, &group->request, &group->response,
                                          [group, done](grpc::Status status) {
                                            group->outcome = OutcomeOf(status);
                                            done->count_down();
                                          });
    }
    done->wait();
  }

  void Collect(Group& group) {
    if (group.outcome.ok() && group.response.results_size() != static_cast<int>(group.indexes.size())) {
      group.outcome.status = absl::InternalError(absl::StrCat("the server answered ", group.response.results_size(),
                                                              " of ", group.indexes.size(), " actions"));
    }
    if (!group.outcome.ok()) {
      group.outcome.status = cluster_.locator.Report(group.region, group.outcome.status, attempt_deadline_);
      for (size_t index : group.indexes) Fail(index, group.outcome);
      return;
    }
    for (size_t i = 0; i < group.indexes.size(); ++i) {
      CollectOne(group, group.indexes[i], group.response.results(static_cast<int>(i)));
    }
  }

  void CollectOne(const Group& group, size_t index, const v1::ActionResult& answer) {
    if (answer.has_error()) {
      Fail(index, {ReportOnce(group.region, FromProto(answer.error()))});
      return;
    }
    ActionResult& result = results_[index];
    result.processed = !answer.has_processed() || answer.processed();
    result.status = FromProto(answer.result(), &result.result.cells);
    result.result.exists = answer.result().exists();
  }

  // Of many actions that one region refused, one look-up is enough.
  absl::Status ReportOnce(const Located& region, const absl::Status& status) {
    if (reported_ != region || reported_status_ != status) {
      told_status_ = cluster_.locator.Report(region, status, attempt_deadline_);
      reported_ = region;
      reported_status_ = status;
    }
    return told_status_;
  }

  void Fail(size_t index, const CallOutcome& outcome) {
    if (retries_.MayRepeat(outcome, RepeatableOf(actions_[index]))) {
      any_failed_ = true;
      next_.push_back(index);
    } else {
      results_[index].status = outcome.status;
    }
  }

  Cluster& cluster_;
  const TableName& table_;
  const std::span<const Action> actions_;
  std::vector<ActionResult> results_;
  Retries retries_;

  // Of the round under way.
  TimePoint attempt_deadline_;
  CallOutcome lookup_;
  std::vector<size_t> next_;
  bool any_failed_ = false;
  Located reported_;
  absl::Status reported_status_, told_status_;
};

}  // namespace

std::vector<ActionResult> RunBatch(Cluster& cluster, const TableName& table, std::span<const Action> actions) {
  return Run(cluster, table, actions).Execute();
}

}  // namespace vaquita::client

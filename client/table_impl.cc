#include "client/table_factory.h"

#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "base/status.h"
#include "client/batch.h"
#include "client/nonce.h"
#include "client/region_list.h"
#include "client/retries.h"
#include "model/request_check.h"

namespace vaquita::client {
namespace {

class TableImpl final : public Table {
 public:
  TableImpl(std::shared_ptr<Cluster> cluster, TableName name) : cluster_(std::move(cluster)), name_(std::move(name)) {}

  const TableName& name() const override { return name_; }

  absl::StatusOr<Result> Get(const vaquita::Get& get) override { return ResultOf(Run(get.row, get)); }

  absl::StatusOr<std::unique_ptr<ResultScanner>> GetScanner(const Scan& scan) override {
    VAQUITA_RETURN_IF_ERROR(CheckTimeRanges(scan));
    return MakeResultScanner(cluster_, name_, scan);
  }

  absl::StatusOr<Result> Mutate(const Mutation& mutation) override { return ResultOf(Run(mutation.row, mutation)); }

  absl::StatusOr<Result> MutateRow(const RowMutations& mutations) override {
    return ResultOf(Run(mutations.row, mutations));
  }

  absl::StatusOr<ActionResult> CheckAndMutate(const vaquita::CheckAndMutate& check) override {
    return Run(check.row, check);
  }

  std::vector<ActionResult> Batch(std::span<const Action> actions) override {
    return RunBatch(*cluster_, name_, actions);
  }

  absl::StatusOr<AggregateAnswer> Aggregate(const Scan& scan, std::string_view plan) override {
    VAQUITA_RETURN_IF_ERROR(CheckTimeRanges(scan));
    Retries retries(cluster_->options);
    for (;;) {
      AggregateAnswer answer;
      const TimePoint deadline = retries.AttemptDeadline();
      const CallOutcome outcome = Try(scan.rows.start, deadline, [&](const LocatedRegion& region) {
        return cluster_->link->Aggregate(region, scan, plan, deadline, &answer);
      });
      if (outcome.ok()) return answer;
      if (!retries.Again(outcome, Repeatable::kYes)) return outcome.status;
    }
  }

  absl::StatusOr<std::vector<RegionLocation>> RegionLocations() override { return ListRegions(*cluster_, name_); }

  absl::StatusOr<RegionLocation> LocateRow(std::string_view row) override {
    Retries retries(cluster_->options);
    for (Located located;;) {
      const CallOutcome outcome = cluster_->locator.Locate(name_, row, retries.AttemptDeadline(), &located);
      if (outcome.ok()) return located->location;
      if (!retries.Again(outcome, Repeatable::kYes)) return outcome.status;
    }
  }

 private:
  static absl::StatusOr<Result> ResultOf(absl::StatusOr<ActionResult> outcome) {
    VAQUITA_RETURN_IF_ERROR(outcome.status());
    return std::move(outcome->result);
  }

  // Sends `action` to the region that holds `row`, until it is answered or not worth another attempt.
  absl::StatusOr<ActionResult> Run(std::string_view row, const Action& action) {
    VAQUITA_RETURN_IF_ERROR(CheckRequest(action));
    const Repeatable repeatable = RepeatableOf(action, cluster_->link->KnowsRepeatsOf(action));
    const uint64_t nonce = NextNonce();
    Retries retries(cluster_->options);
    for (;;) {
      ActionResult result;
      const TimePoint deadline = retries.AttemptDeadline();
      const CallOutcome outcome = Try(row, deadline, [&](const LocatedRegion& region) {
        return cluster_->link->Run(region, {&action, nonce}, deadline, &result);
      });
      if (outcome.ok()) return result;
      if (!retries.Again(outcome, repeatable)) return outcome.status;
    }
  }

  // Makes the call to the region that holds `row`, and notes it if the region is elsewhere.
  CallOutcome Try(std::string_view row, TimePoint deadline, absl::FunctionRef<CallOutcome(const LocatedRegion&)> call) {
    Located region;
    CallOutcome outcome = cluster_->locator.Locate(name_, row, deadline, &region);
    if (!outcome.ok()) return outcome;
    outcome = call(*region);
    if (!outcome.ok()) outcome.status = cluster_->locator.Report(region, outcome.status, deadline);
    return outcome;
  }

  const std::shared_ptr<Cluster> cluster_;
  const TableName name_;
};

}  // namespace

const std::string* Result::Value(std::string_view family, std::string_view qualifier) const {
  for (const Cell& cell : cells) {
    if (cell.family == family && cell.qualifier == qualifier) return &cell.value;
  }
  return nullptr;
}

absl::StatusOr<AggregateAnswer> Table::Aggregate(const Scan&, std::string_view) {
  return Error(ErrorKind::kUnsupportedOperation, "this table has no aggregates of SQL");
}

std::unique_ptr<Table> MakeTable(std::shared_ptr<Cluster> cluster, const TableName& name) {
  return std::make_unique<TableImpl>(std::move(cluster), name);
}

}  // namespace vaquita::client

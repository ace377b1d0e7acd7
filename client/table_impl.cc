#include "client/table_impl.h"

#include <string>
#include <utility>

#include "client/batch.h"
#include "client/region_list.h"
#include "client/result_scanner.h"
#include "client/retries.h"
#include "engine/status.h"
#include "proto/data_codec.h"

namespace vaquita::client {
namespace {

class TableImpl final : public Table {
 public:
  TableImpl(std::shared_ptr<Cluster> cluster, TableName name) : cluster_(std::move(cluster)), name_(std::move(name)) {}

  const TableName& name() const override { return name_; }

  absl::StatusOr<Result> Get(const vaquita::Get& get) override {
    v1::GetRequest request;
    ToProto(get, request.mutable_get());
    v1::GetResponse response;
    VAQUITA_RETURN_IF_ERROR(CallRow(&v1::DataService::Stub::Get, get.row, Repeatable::kYes, &request, &response));
    return Decode(response.result());
  }

  absl::StatusOr<bool> Exists(const vaquita::Get& get) override {
    vaquita::Get existence = get;
    existence.existence_only = true;
    VAQUITA_ASSIGN_OR_RETURN(const Result result, Get(existence));
    return result.exists;
  }

  absl::StatusOr<std::unique_ptr<ResultScanner>> GetScanner(const Scan& scan) override {
    return MakeResultScanner(cluster_, name_, scan);
  }

  absl::StatusOr<Result> Mutate(const Mutation& mutation) override {
    v1::MutateRequest request;
    ToProto(mutation, request.mutable_mutation());
    return CallMutate(mutation.row, RepeatableOf(mutation), &request);
  }

  absl::StatusOr<Result> MutateRow(const RowMutations& mutations) override {
    v1::MutateRequest request;
    ToProto(mutations, request.mutable_row_mutations());
    return CallMutate(mutations.row, RepeatableOf(mutations), &request);
  }

  absl::StatusOr<ActionResult> CheckAndMutate(const vaquita::CheckAndMutate& check) override {
    v1::CheckAndMutateRequest request;
    ToProto(check, request.mutable_check_and_mutate());
    v1::CheckAndMutateResponse response;
    VAQUITA_RETURN_IF_ERROR(
        CallRow(&v1::DataService::Stub::CheckAndMutate, check.row, Repeatable::kOnlyIfNotRun, &request, &response));
    ActionResult result;
    result.processed = response.processed();
    VAQUITA_ASSIGN_OR_RETURN(result.result, Decode(response.result()));
    return result;
  }

  std::vector<ActionResult> Batch(std::span<const Action> actions) override {
    return RunBatch(*cluster_, name_, actions);
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
  static absl::StatusOr<Result> Decode(const v1::Result& answer) {
    Result result{.partial = answer.partial(), .exists = answer.exists()};
    VAQUITA_RETURN_IF_ERROR(FromProto(answer, &result.cells));
    return result;
  }

  absl::StatusOr<Result> CallMutate(const std::string& row, Repeatable repeatable, v1::MutateRequest* request) {
    v1::MutateResponse response;
    VAQUITA_RETURN_IF_ERROR(CallRow(&v1::DataService::Stub::Mutate, row, repeatable, request, &response));
    return Decode(response.result());
  }

  // Sends `request` to the region that holds `row`, until it is answered or not worth another attempt.
  template <typename Method, typename Request, typename Response>
  absl::Status CallRow(Method method, std::string_view row, Repeatable repeatable, Request* request,
                       Response* response) {
    request->set_cells_as_block(true);
    Retries retries(cluster_->options);
    for (;;) {
      const CallOutcome outcome = TryRow(method, row, retries.AttemptDeadline(), request, response);
      if (outcome.ok()) return absl::OkStatus();
      if (!retries.Again(outcome, repeatable)) return outcome.status;
    }
  }

  template <typename Method, typename Request, typename Response>
  CallOutcome TryRow(Method method, std::string_view row, TimePoint deadline, Request* request, Response* response) {
    Located region;
    CallOutcome outcome = cluster_->locator.Locate(name_, row, deadline, &region);
    if (!outcome.ok()) return outcome;
    request->set_region(region->encoded_name);
    outcome = cluster_->link.Call(method, *request, response, deadline);
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

std::unique_ptr<Table> MakeTable(std::shared_ptr<Cluster> cluster, const TableName& name) {
  return std::make_unique<TableImpl>(std::move(cluster), name);
}

}  // namespace vaquita::client

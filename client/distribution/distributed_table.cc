#include "client/distribution/distributed_table.h"

#include <string>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "client/action_view.h"
#include "client/admin.h"
#include "client/distribution/distributed_action.h"
#include "client/distribution/merge_row.h"

namespace vaquita::client {
namespace {

// Adds the answer of one of the table's rows to the answer for the original key.
void Combine(const Action& asked, ActionResult part, ActionResult* whole) {
  if (whole->status.ok()) whole->status = part.status;
  if (!part.status.ok()) return;
  for (Cell& cell : part.result.cells) cell.row = std::string(RowOf(asked));
  whole->processed = part.processed;
  const vaquita::Get* get = std::get_if<vaquita::Get>(&asked);
  if (get == nullptr || (whole->result.empty() && !whole->result.exists)) {
    whole->result = std::move(part.result);
  } else {
    MergeIntoRow(std::move(part.result), get->max_versions, /*raw=*/false, &whole->result);
  }
}

class DistributedTable final : public Table {
 public:
  DistributedTable(std::shared_ptr<Table> table, RowKeyDistributorPtr distributor,
                   const DistributedScanOptions& options)
      : table_(std::move(table)), distributor_(std::move(distributor)), options_(options) {}

  const TableName& name() const override { return table_->name(); }

  absl::StatusOr<Result> Get(const vaquita::Get& get) override { return ResultOf(Run(get)); }
  absl::StatusOr<std::unique_ptr<ResultScanner>> GetScanner(const Scan& scan) override {
    return MakeDistributedScanner(table_, distributor_, scan, options_);
  }
  absl::StatusOr<Result> Mutate(const Mutation& mutation) override { return ResultOf(Run(mutation)); }
  absl::StatusOr<Result> MutateRow(const RowMutations& mutations) override { return ResultOf(Run(mutations)); }
  absl::StatusOr<ActionResult> CheckAndMutate(const vaquita::CheckAndMutate& check) override {
    ActionResult outcome = Run(check);
    if (!outcome.status.ok()) return outcome.status;
    return outcome;
  }
  std::vector<ActionResult> Batch(std::span<const Action> actions) override;

  absl::StatusOr<std::vector<RegionLocation>> RegionLocations() override { return table_->RegionLocations(); }
  absl::StatusOr<RegionLocation> LocateRow(std::string_view row) override {
    const std::vector<std::string> keys = distributor_->AllDistributedKeys(row);
    if (keys.size() == 1) return table_->LocateRow(keys.front());
    return Error(ErrorKind::kIllegalArgument,
                 absl::StrCat("with ", distributor_->ToText(), " a row's key does not tell in which bucket it is"));
  }

 private:
  ActionResult Run(const Action& action) { return std::move(Batch({&action, 1}).front()); }
  static absl::StatusOr<Result> ResultOf(ActionResult outcome) {
    if (!outcome.status.ok()) return outcome.status;
    return std::move(outcome.result);
  }

  const std::shared_ptr<Table> table_;
  const RowKeyDistributorPtr distributor_;
  const DistributedScanOptions options_;
};

std::vector<ActionResult> DistributedTable::Batch(std::span<const Action> actions) {
  std::vector<ActionResult> results(actions.size());
  std::vector<Action> table_actions;
  std::vector<size_t> index_of;  // index of each in `actions`
  for (size_t i = 0; i < actions.size(); ++i) {
    absl::StatusOr<std::vector<Action>> distributed = DistributeAction(*distributor_, actions[i]);
    if (!distributed.ok()) {
      results[i].status = distributed.status();
      continue;
    }
    for (Action& action : *distributed) {
      table_actions.push_back(std::move(action));
      index_of.push_back(i);
    }
  }
  std::vector<ActionResult> parts = table_->Batch(table_actions);
  for (size_t i = 0; i < parts.size(); ++i) {
    Combine(actions[index_of[i]], std::move(parts[i]), &results[index_of[i]]);
  }
  return results;
}

}  // namespace

std::unique_ptr<Table> MakeDistributedTable(std::shared_ptr<Table> table, RowKeyDistributorPtr distributor,
                                            const DistributedScanOptions& options) {
  return std::make_unique<DistributedTable>(std::move(table), std::move(distributor), options);
}

absl::StatusOr<std::unique_ptr<Table>> OpenDistributedTable(Connection& connection, const TableName& name,
                                                            const KeyHasherParser& hashers) {
  VAQUITA_ASSIGN_OR_RETURN(const TableDescriptor descriptor, connection.GetAdmin()->GetDescriptor(name));
  VAQUITA_ASSIGN_OR_RETURN(RowKeyDistributorPtr distributor, LoadDistributor(descriptor, hashers));
  return MakeDistributedTable(connection.GetTable(name), std::move(distributor));
}

absl::StatusOr<std::vector<Mutation>> DistributeMutation(const RowKeyDistributor& distributor,
                                                         const Mutation& mutation) {
  VAQUITA_ASSIGN_OR_RETURN(std::vector<Action> actions, DistributeAction(distributor, mutation));
  std::vector<Mutation> mutations;
  for (Action& action : actions) mutations.push_back(std::get<Mutation>(std::move(action)));
  return mutations;
}

}  // namespace vaquita::client

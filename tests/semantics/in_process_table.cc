#include "tests/semantics/in_process_table.h"

#include <map>
#include <string>
#include <utility>
#include <variant>

#include "base/status.h"
#include "tests/semantics/in_process_scanner.h"

namespace vaquita::semantics {
namespace {

std::string RowOf(const Action& action) {
  return std::visit([](const auto& a) { return a.row; }, action);
}

void Sync(Get*) {}
void Sync(Mutation* mutation) { mutation->durability = Durability::kFsyncWal; }
template <typename Mutations>
void Sync(Mutations* several) {
  for (Mutation& mutation : several->mutations) Sync(&mutation);
}

class InProcessTable : public client::Table {
 public:
  InProcessTable(Standalone* server, const TableName& name, bool synced)
      : server_(server), name_(name), synced_(synced) {}

  const TableName& name() const override { return name_; }

  absl::StatusOr<client::Result> Get(const vaquita::Get& get) override {
    VAQUITA_ASSIGN_OR_RETURN(const std::string region, RegionOf(get.row));
    CellBlock cells;
    VAQUITA_RETURN_IF_ERROR(Explain(server_->region_server()->Get(region, get, &cells)));
    return ToResult(cells);
  }

  absl::StatusOr<bool> Exists(const vaquita::Get& get) override {
    VAQUITA_ASSIGN_OR_RETURN(const client::Result result, Get(get));
    return result.exists;
  }

  absl::StatusOr<std::unique_ptr<client::ResultScanner>> GetScanner(const Scan& scan) override {
    return MakeInProcessScanner(server_, name_, scan);
  }

  absl::StatusOr<client::Result> Mutate(const Mutation& mutation) override {
    return ToResult(OnRegion(mutation, [](auto* s, const auto& r, const auto& m) { return s->Mutate(r, m); }));
  }
  absl::StatusOr<client::Result> MutateRow(const RowMutations& mutations) override {
    return ToResult(OnRegion(mutations, [](auto* s, const auto& r, const auto& m) { return s->Mutate(r, m); }));
  }
  absl::StatusOr<client::ActionResult> CheckAndMutate(const vaquita::CheckAndMutate& check) override {
    VAQUITA_ASSIGN_OR_RETURN(const MutateResult result, OnRegion(check, [](auto* s, const auto& r, const auto& c) {
                               return s->CheckAndMutate(r, c);
                             }));
    client::ActionResult outcome;
    outcome.result = semantics::ToResult(result.cells);
    outcome.processed = result.processed;
    return outcome;
  }

  std::vector<client::ActionResult> Batch(std::span<const Action> actions) override;

  absl::StatusOr<std::vector<client::RegionLocation>> RegionLocations() override {
    return absl::UnimplementedError("no script asks a table");
  }
  absl::StatusOr<client::RegionLocation> LocateRow(std::string_view row) override {
    return absl::UnimplementedError("no script asks a table");
  }

 private:
  absl::StatusOr<std::string> RegionOf(std::string_view row) const {
    VAQUITA_ASSIGN_OR_RETURN(const AssignedRegion region, server_->master()->LocateRow(name_, row));
    return region.info.EncodedName();
  }

  absl::Status Explain(absl::Status status) const { return semantics::Explain(server_, name_, std::move(status)); }

  template <typename Request, typename Call>
  absl::StatusOr<MutateResult> OnRegion(Request request, Call call) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string region, RegionOf(request.row));
    if (synced_) Sync(&request);
    absl::StatusOr<MutateResult> result = call(server_->region_server(), region, request);
    if (!result.ok()) return Explain(result.status());
    return result;
  }

  static absl::StatusOr<client::Result> ToResult(const absl::StatusOr<MutateResult>& result) {
    if (!result.ok()) return result.status();
    return semantics::ToResult(result->cells);
  }
  static client::Result ToResult(const CellBlock& cells) { return semantics::ToResult(cells); }

  Standalone* const server_;
  const TableName name_;
  const bool synced_;
};

std::vector<client::ActionResult> InProcessTable::Batch(std::span<const Action> actions) {
  std::vector<client::ActionResult> results(actions.size());
  std::map<std::string, std::vector<size_t>> by_region;
  for (size_t i = 0; i < actions.size(); ++i) {
    const absl::StatusOr<std::string> region = RegionOf(RowOf(actions[i]));
    results[i].status = region.status();
    if (region.ok()) by_region[*region].push_back(i);
  }
  for (const auto& [region, indexes] : by_region) {
    std::vector<Action> here;
    for (const size_t i : indexes) here.push_back(actions[i]);
    for (Action& action : here) {
      if (synced_) std::visit([](auto& a) { Sync(&a); }, action);
    }
    const std::vector<ActionOutcome> outcomes = server_->region_server()->Batch(region, here);
    for (size_t k = 0; k < indexes.size(); ++k) {
      client::ActionResult& result = results[indexes[k]];
      result.status = Explain(outcomes[k].status);
      result.result =
          ToResult(std::holds_alternative<vaquita::Get>(here[k]) ? outcomes[k].cells : outcomes[k].result.cells);
      result.processed = outcomes[k].result.processed;
    }
  }
  return results;
}

}  // namespace

absl::Status Explain(Standalone* server, const TableName& table, absl::Status status) {
  if (!IsError(status, ErrorKind::kNotServingRegion)) return status;
  const auto state = server->master()->GetTableState(table);
  if (!state.ok() || *state == TableState::kEnabled) return status;
  return Error(ErrorKind::kTableNotEnabled, table.ToString() + " is disabled.");
}

std::unique_ptr<client::Table> MakeInProcessTable(Standalone* server, const TableName& name, bool synced) {
  return std::make_unique<InProcessTable>(server, name, synced);
}

}  // namespace vaquita::semantics

// RegionServer's checks of users' rights, before an operation runs.
#include <memory>
#include <utility>
#include <variant>

#include "base/status.h"
#include "server/access/access_control.h"
#include "server/regionserver/region_server.h"

namespace vaquita {
namespace {

bool AsksForExistence(const Get& get) { return get.existence_only; }
bool AsksForExistence(const Scan&) { return false; }

}  // namespace

absl::Status RegionServer::SetPermissions(std::shared_ptr<const Permissions> permissions) {
  if (options_.access != nullptr) options_.access->Update(std::move(permissions));
  return absl::OkStatus();
}

template <typename Read>
absl::StatusOr<const Read*> RegionServer::ReadableBy(const CallContext& context, const Region& region,
                                                     const Read& asked, std::optional<Read>* narrowed) const {
  if (options_.access == nullptr) return &asked;
  std::optional<ColumnSelection> columns;
  VAQUITA_RETURN_IF_ERROR(
      options_.access->CheckRead(context.caller, *region.table(), asked.columns, AsksForExistence(asked), &columns));
  if (!columns.has_value()) return &asked;
  *narrowed = asked;
  (*narrowed)->columns = *std::move(columns);
  return &**narrowed;
}

template absl::StatusOr<const Get*> RegionServer::ReadableBy(const CallContext&, const Region&, const vaquita::Get&,
                                                             std::optional<vaquita::Get>*) const;
template absl::StatusOr<const Scan*> RegionServer::ReadableBy(const CallContext&, const Region&, const Scan&,
                                                              std::optional<Scan>*) const;

absl::Status RegionServer::CheckWrites(const CallContext& context, const Region& region,
                                       std::span<const Mutation> mutations) const {
  if (options_.access == nullptr) return absl::OkStatus();
  const auto table = region.table();
  for (const Mutation& mutation : mutations) {
    VAQUITA_RETURN_IF_ERROR(options_.access->CheckMutation(context.caller, *table, mutation));
  }
  return absl::OkStatus();
}

absl::Status RegionServer::CheckCondition(const CallContext& context, const Region& region,
                                          const vaquita::CheckAndMutate& check) const {
  if (options_.access == nullptr) return absl::OkStatus();
  return options_.access->CheckCondition(context.caller, *region.table(), check);
}

std::vector<absl::Status> RegionServer::CheckActions(const CallContext& context, const Region& region,
                                                     std::span<const Action> actions) const {
  std::vector<absl::Status> statuses(actions.size());
  if (options_.access == nullptr) return statuses;
  absl::Status simple_writes;
  const auto is_simple = [](const Action& action) {
    const auto* mutation = std::get_if<Mutation>(&action);
    return mutation != nullptr && !IsDelta(mutation->type);
  };
  for (size_t i = 0; i < actions.size(); ++i) {
    if (const auto* mutation = std::get_if<Mutation>(&actions[i])) {
      statuses[i] = CheckWrites(context, region, {mutation, 1});
      if (is_simple(actions[i]) && simple_writes.ok()) simple_writes = statuses[i];
    } else if (const auto* mutations = std::get_if<RowMutations>(&actions[i])) {
      statuses[i] = CheckWrites(context, region, mutations->mutations);
    } else if (const auto* check = std::get_if<vaquita::CheckAndMutate>(&actions[i])) {
      statuses[i] = CheckCondition(context, region, *check);
      if (statuses[i].ok()) statuses[i] = CheckWrites(context, region, check->mutations);
    }
  }
  if (simple_writes.ok()) return statuses;
  for (size_t i = 0; i < actions.size(); ++i) {
    if (is_simple(actions[i])) statuses[i] = simple_writes;
  }
  return statuses;
}

}  // namespace vaquita

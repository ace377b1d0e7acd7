// client/distribution/distributed_action.h: an action on an original key as actions on the table's rows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "client/distribution/row_key_distributor.h"
#include "model/operations.h"

namespace vaquita::client {

// The original key that the action is about.
const std::string& RowOf(const Action& action);

// One action, or one per bucket. kIllegalArgument for what the distributor does not allow (distributed_table.h).
absl::StatusOr<std::vector<Action>> DistributeAction(const RowKeyDistributor& distributor, const Action& action);

}  // namespace vaquita::client

// client/distribution/distributed_action.h: translates an action on an original key to actions on the table's rows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "client/distribution/row_key_distributor.h"
#include "model/operations.h"

namespace vaquita::client {

// Returns one action, or one per bucket; kIllegalArgument if the distributor does not allow the action
// (distributed_table.h).
absl::StatusOr<std::vector<Action>> DistributeAction(const RowKeyDistributor& distributor, const Action& action);

}  // namespace vaquita::client

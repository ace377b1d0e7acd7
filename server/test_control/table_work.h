// server/test_control/table_work.h: splits and moves regions that a test names, and waits until that is done.
//
// Threads: any.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "model/table_name.h"
#include "vaquita/v1/test.pb.h"

namespace vaquita {

class Master;

// Returns the table called `name`, or all user tables if it is empty; NotFound if there is no such table.
absl::StatusOr<std::vector<TableName>> TablesNamed(const Master& master, const std::string& name);

// Returns the daughters' encoded names.
absl::StatusOr<std::vector<std::string>> Split(Master* master, const v1::SplitNowRequest& request);

// Returns the name of the server that the region moved to.
absl::StatusOr<std::string> Move(Master* master, const v1::MoveNowRequest& request);

}  // namespace vaquita

// server/test_control/table_work.h: splits and moves that end before they return, of regions as tests name them.
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

// The table called `name`, or (empty) all user tables. NotFound.
absl::StatusOr<std::vector<TableName>> TablesNamed(const Master& master, const std::string& name);

// A region's name of bytes, from its text.
std::string RegionNameOf(const std::string& text);

// Returns the daughters' encoded names.
absl::StatusOr<std::vector<std::string>> Split(Master* master, const v1::SplitNowRequest& request);

// Returns the name of the server that has the region then.
absl::StatusOr<std::string> Move(Master* master, const v1::MoveNowRequest& request);

}  // namespace vaquita

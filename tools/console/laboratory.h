// tools/console/laboratory.h: simulates designs for the laboratory's page, without writing anything.
//
// A request takes about two seconds at most for each design, on one thread. Threads: any.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace vaquita {

// Takes ReadLaboratoryInput's JSON. Returns keys, splits, requests by region and time, and advice for each design.
absl::StatusOr<std::string> SimulateForPage(std::string_view body);
// Returns {"examples": [{"name", "question", "about", "records", "designs": [{"name", "expression"}]}]}.
absl::StatusOr<std::string> ExamplesForPage(std::string_view body);

}  // namespace vaquita

// tools/console/workshop_check.h: the workshop page's check of an answer, as `vaquita workshop check N` prints it.
//
// Threads: any.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "tools/console/cluster_link.h"

namespace vaquita {

// Takes {"exercise": N}. Answers {"right": true or false, "output": the command's lines}.
absl::StatusOr<std::string> CheckAnswerForPage(ClusterLink* link, std::string_view body);

}  // namespace vaquita

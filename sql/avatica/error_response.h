// sql/avatica/error_response.h: an error as drivers get it.
//
// Phoenix's query server puts the code and state of an error into its text alone. Here the fields of the response have
// them, too, as Phoenix's own driver would. Threads: functions. Source: AbstractHandler (Avatica 1.26).
#pragma once

#include "absl/status/status.h"
#include "avatica/avatica.pb.h"

namespace vaquita::sql {

avatica::ErrorResponse MakeErrorResponse(const absl::Status& status);

}  // namespace vaquita::sql

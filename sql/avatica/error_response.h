// sql/avatica/error_response.h: makes the error response that a driver gets.
//
// Phoenix's query server puts an error's code and state only into its text. Vaquita also puts them into the fields of
// the response, as Phoenix's own driver does. Threads: functions. Source: AbstractHandler (Avatica 1.26).
#pragma once

#include "absl/status/status.h"
#include "avatica/avatica.pb.h"

namespace vaquita::sql {

avatica::ErrorResponse MakeErrorResponse(const absl::Status& status);

}  // namespace vaquita::sql

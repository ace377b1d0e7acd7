#include "sql/avatica/error_response.h"

#include <string>
#include <string_view>

#include "base/absl_text.h"
#include "sql/avatica/values.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"

namespace vaquita::sql {
namespace {

constexpr std::string_view kUnknownConnection = "org.apache.calcite.avatica.NoSuchConnectionException";

}  // namespace

avatica::ErrorResponse MakeErrorResponse(const absl::Status& status) {
  avatica::ErrorResponse response;
  response.set_has_exceptions(true);
  const SqlErrorInfo info = ErrorInfoOf(status);
  response.set_error_code(static_cast<uint32_t>(info.code));
  response.set_sql_state(info.state);
  if (IsSqlError(status, ErrorCode::kNoSuchConnection)) {
    response.add_exceptions(std::string(kUnknownConnection));
    response.set_severity(avatica::ErrorResponse::ERROR_SEVERITY);
    return response;
  }
  std::string text = WireText(StdText(status.message()));
  // Drivers look for this form.
  if (!text.starts_with("ERROR ")) text = Concat("ERROR ", info.code, " (", info.state, "): ", text);
  response.add_exceptions(Concat("java.sql.SQLException: ", text));
  response.set_error_message(Concat("RuntimeException: java.sql.SQLException: ", text, " -> SQLException: ", text));
  return response;
}

}  // namespace vaquita::sql

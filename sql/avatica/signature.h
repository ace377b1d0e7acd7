// sql/avatica/signature.h: describes a statement to a driver before it runs.
//
// Threads: functions. Source: PhoenixResultSetMetaData, PhoenixParameterMetaData (5.2), JdbcMeta (Avatica 1.26).
#pragma once

#include <string_view>
#include <vector>

#include "avatica/avatica.pb.h"
#include "sql/encoding/sql_type.h"
#include "sql/plan/resolver.h"

namespace vaquita::sql {

// `text` is the statement's; empty for the result of a statement that was not prepared.
avatica::Signature MakeSignature(std::string_view text, const std::vector<OutputColumn>& columns,
                                 const std::vector<SqlType>& parameters);

}  // namespace vaquita::sql

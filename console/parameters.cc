#include "console/parameters.h"

#include "absl/strings/numbers.h"
#include "base/status.h"
#include "server/frontend/http/url_query.h"

namespace vaquita {

absl::StatusOr<Parameters> Parameters::Parse(std::string_view url_query) {
  VAQUITA_ASSIGN_OR_RETURN(auto values, http::ParseUrlQuery(url_query));
  return Parameters(std::move(values));
}

std::string Parameters::Take(const std::string& name) {
  const auto node = values_.extract(name);
  return node.empty() ? std::string() : node.mapped();
}

absl::Status Parameters::TakeNumber(const std::string& name, int64_t least, int64_t most, int64_t* number) {
  const std::string value = Take(name);
  if (value.empty()) return absl::OkStatus();
  if (!absl::SimpleAtoi(value, number) || *number < least || *number > most) {
    return Malformed(name, value, "a number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return absl::OkStatus();
}

absl::StatusOr<TableName> Parameters::TakeTable() {
  const std::string table = Take("table");
  if (table.empty()) return absl::InvalidArgumentError("parameter table is missing: the table's name");
  return TableName::Parse(table);
}

absl::Status Parameters::CheckAllTaken(std::string_view known) const {
  if (values_.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError("unknown parameter \"" + values_.begin()->first + "\"; this request takes " +
                                    std::string(known));
}

absl::Status Parameters::Malformed(std::string_view name, std::string_view value, std::string_view right) {
  return absl::InvalidArgumentError("parameter " + std::string(name) + "=\"" + std::string(value) +
                                    "\": " + std::string(right));
}

}  // namespace vaquita

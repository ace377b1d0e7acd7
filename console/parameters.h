// console/parameters.h: takes a request's parameters one by one, so that an unknown one is an error.
//
// Errors: InvalidArgument names the parameter and what would be right. Threads: one at a time.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/table_name.h"

namespace vaquita {

class Parameters {
 public:
  // Reads the part of a URL behind its '?'.
  static absl::StatusOr<Parameters> Parse(std::string_view url_query);
  explicit Parameters(std::map<std::string, std::string> values) : values_(std::move(values)) {}

  // Returns the value, or empty if the request has none.
  std::string Take(const std::string& name);
  // Leaves `*number` alone if the request has no such parameter.
  absl::Status TakeNumber(const std::string& name, int64_t least, int64_t most, int64_t* number);
  // Returns the parameter "table", which the request must have.
  absl::StatusOr<TableName> TakeTable();
  // Returns an error if a parameter is left. The error lists the names `known`.
  absl::Status CheckAllTaken(std::string_view known) const;

  static absl::Status Malformed(std::string_view name, std::string_view value, std::string_view right);

 private:
  std::map<std::string, std::string> values_;
};

}  // namespace vaquita

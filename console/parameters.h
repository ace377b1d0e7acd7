// console/parameters.h: the parameters of a request, taken one by one, so that what is left is an error.
//
// Errors: InvalidArgument, naming the parameter and what would be right. Threads: one at a time.
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
  // Reads what follows the '?' of a URL.
  static absl::StatusOr<Parameters> Parse(std::string_view url_query);
  explicit Parameters(std::map<std::string, std::string> values) : values_(std::move(values)) {}

  // Returns the value, or empty if it is not there.
  std::string Take(const std::string& name);
  // Leaves `*number` as it is if it is not there.
  absl::Status TakeNumber(const std::string& name, int64_t least, int64_t most, int64_t* number);
  // The parameter "table", which must be there.
  absl::StatusOr<TableName> TakeTable();
  // `known`: the names to tell whoever sent another one.
  absl::Status CheckAllTaken(std::string_view known) const;

  static absl::Status Malformed(std::string_view name, std::string_view value, std::string_view right);

 private:
  std::map<std::string, std::string> values_;
};

}  // namespace vaquita

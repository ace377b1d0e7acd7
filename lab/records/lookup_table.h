// lab/records/lookup_table.h: a table of names and the values that replace them in a key, as in lookup(type,
// LOG_TYPES).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vaquita::lab {

struct LookupTable {
  absl::flat_hash_map<std::string, std::string> values;
  absl::flat_hash_map<std::string, int64_t> numbers;  // `values` as numbers if all are, as they print; else empty

  bool is_numeric() const { return !numbers.empty(); }

  // Adds a name. Returns InvalidArgument if the table has it already.
  absl::Status Add(std::string_view name, std::string_view value);
};

// Tables by the name that designs use.
using LookupTables = std::map<std::string, LookupTable, std::less<>>;

// Reads a CSV file of two columns, name and value, without a header. Errors name file, line and value.
absl::StatusOr<LookupTable> ReadLookupTable(const std::string& path);

}  // namespace vaquita::lab

// lab/records/lookup_table.h: names and what stands for them in a key, as in lookup(type, LOG_TYPES).
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
  absl::flat_hash_map<std::string, int64_t> numbers;  // the same, if every value is a number; else empty

  bool is_numeric() const { return !numbers.empty(); }

  // InvalidArgument if the table has the name already.
  absl::Status Add(std::string_view name, std::string_view value);
};

// By the name that designs call them.
using LookupTables = std::map<std::string, LookupTable, std::less<>>;

// Reads a CSV file of two columns, name and value, without a header. Errors name file, line and value.
absl::StatusOr<LookupTable> ReadLookupTable(const std::string& path);

}  // namespace vaquita::lab

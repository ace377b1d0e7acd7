// tools/bench/workload.h: a workload: what a table holds, and what clients ask of it.
//
// A workload is a set of properties, name=value, under the names of YCSB's core workloads; some are new. YCSB's own
// files are read as they are. PropertyRows() has each property with its meaning. Threads: plain data.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/durability.h"
#include "model/filter_spec.h"
#include "tools/bench/key_choice.h"

namespace vaquita::bench {

enum class OperationKind : uint8_t {
  kRead,
  kUpdate,
  kInsert,
  kScan,
  kReadModifyWrite,
  kDelete,
  kIncrement,
  kAppend,
  kCheckAndMutate,
  kCheckAndPut,
  kCheckAndDelete,
  kNextRow,  // the next row of a scan of the whole table
};
inline constexpr size_t kOperationKinds = 12;

// Returns the kind's name in properties and results: "read", "checkandmutate".
std::string_view NameOf(OperationKind kind);

struct Workload {
  std::string name;

  // The table.
  std::string table = "usertable";
  std::string family = "family";
  uint64_t rows = 100'000;
  bool load = true;  // the rows are there before the operations begin
  int32_t regions = 16;
  std::string compression = "NONE";
  std::string block_encoding = "NONE";
  std::string bloom_filter = "ROW";

  // Row keys: YCSB's, or a design of the laboratory.
  std::string key_prefix = "user";
  int32_t zero_padding = 1;
  bool hashed_keys = true;
  std::string design;   // docs/lab.md; empty: YCSB's
  std::string records;  // the generator of its records

  // Columns.
  int32_t fields = 10;
  std::string field_prefix = "field";
  int32_t field_bytes = 100;
  int32_t least_field_bytes = 1;
  bool constant_field_bytes = true;
  double compressible = 0;
  bool read_all_fields = true;
  bool write_all_fields = false;

  // Operations, by kind; their sum counts as 1.
  std::array<double, kOperationKinds> shares{};
  KeyDistribution distribution = KeyDistribution::kUniform;
  int32_t batch = 1;  // rows of a read, update, insert or delete
  int32_t least_scan_rows = 1;
  int32_t most_scan_rows = 1000;
  bool uniform_scan_rows = true;  // else a few lengths are frequent
  bool scan_by_stop_row = false;  // the scan's end is a row, not a limit
  bool scan_whole_table = false;
  bool reversed = false;
  int32_t caching = -1;
  bool cache_blocks = true;
  std::string filter;
  std::optional<FilterSpec> parsed_filter;
  bool filter_by_value = false;  // scans let only rows through whose first column has a value that no row has
  std::string durability_name = "USE_DEFAULT";
  Durability durability = Durability::kUseDefault;

  // The run's length, by operations or by time, whichever ends first. 0 is no end.
  uint64_t operations = 0;  // a batch counts as its rows
  double seconds = 0;
  double rate = 0;  // operations per second, a batch counts as one; 0: as fast as the answers come
  int32_t threads = 8;

  // Sets a property by name. Returns InvalidArgument, naming property and value, and what would be right.
  absl::Status Set(std::string_view property, std::string_view value);
  // Returns all properties that differ from the default, as text that Set() reads.
  std::vector<std::pair<std::string, std::string>> Properties() const;
  // Checks what no property says by itself. Returns InvalidArgument.
  absl::Status Validate() const;

  double Share(OperationKind kind) const { return shares[static_cast<size_t>(kind)]; }
};

// Returns the shortest text that reads back as the same number.
std::string ExactText(double number);

struct PropertyRow {
  std::string_view name;
  std::string_view meaning;
  std::string usual;  // its default
};
const std::vector<PropertyRow>& PropertyRows();

struct NamedWorkload {
  std::string name;
  std::string meaning;
};
// Returns YCSB's a to f, and the commands of HBase's PerformanceEvaluation.
std::vector<NamedWorkload> NamedWorkloads();

// Returns the workload of that name, or of that file of properties. Returns InvalidArgument if there is neither, or if
// the file's line is wrong.
absl::StatusOr<Workload> FindWorkload(const std::string& name);

}  // namespace vaquita::bench

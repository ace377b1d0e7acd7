// tools/console/laboratory_input.h: reads the requests of the laboratory's page: records, designs and splits.
//
//   {"records": "id=sequence()", "rows": 100000, "regions": 8, "splits": "design",
//    "designs": [{"name": "A", "expression": "pad(id, 10)"}]}
//
// "example" in place of "records" takes a built-in example's records; its designs have names. "csv" in place of both is
// the text of a CSV file, whose first row names the fields; a run ends with its rows. "splits" is "design" (from the
// keys of the whole run), "first" (from its first tenth, as in a table that has grown), "none", or keys separated by
// commas; a design's own "splits", an array of keys, override it. A design whose keys are long, or take long to make,
// gets fewer rows. Threads: any.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "lab/design/key_design.h"
#include "lab/records/lookup_table.h"
#include "lab/records/record_set.h"
#include "lab/splits/split_keys.h"
#include "tools/console/request_json.h"

namespace vaquita {

struct LaboratoryDesign {
  std::string name;
  std::string error;                     // why the design is missing; empty: it is not
  std::optional<lab::KeyDesign> design;  // none after an error
  lab::SplitKeys splits;
  uint64_t rows = 0;  // as many as a request has time and memory to simulate
};

struct LaboratoryInput {
  static constexpr int64_t kMostRows = 200'000;
  static constexpr int64_t kMostRegions = 64;
  static constexpr size_t kMostDesigns = 4;
  static constexpr size_t kMostCsvBytes = 4 << 20;
  static constexpr uint64_t kMostCsvRows = 100'000;
  static constexpr uint64_t kMostCsvValues = 1'000'000;  // a comma makes one, which takes 24 bytes
  static constexpr uint64_t kMostKeyBytes = 64 << 20;    // those of one design together

  std::shared_ptr<const lab::RecordSet> records;  // the whole run's
  lab::LookupTables tables;
  std::vector<LaboratoryDesign> designs;
};

// Returns InvalidArgument, which names the field. An error of a single design is stored in that design.
absl::StatusOr<LaboratoryInput> ReadLaboratoryInput(const Json& request, int64_t most_rows);

}  // namespace vaquita

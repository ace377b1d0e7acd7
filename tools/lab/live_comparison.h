// tools/lab/live_comparison.h: measures a row key design on a running cluster of Vaquita or HBase.
//
// For each design it creates a table with its splits, loads, reads and scans it, and drops it, also after an error.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/json.h"
#include "client/connection.h"
#include "lab/design/key_design.h"
#include "lab/records/record_set.h"
#include "lab/report/design_comparison.h"
#include "lab/splits/split_keys.h"

namespace vaquita {

struct LiveLoad {
  uint64_t value_bytes = 100;  // size of each row's one cell
  uint64_t gets = 1'000;
  uint64_t scans = 20;
  lab::ReadPattern pattern = lab::ReadPattern::kUniform;
  std::optional<lab::ReadLoad::FieldScan> scan;
  uint64_t seed = 42;
};

struct LiveFigures {
  std::string name;
  uint64_t rows = 0;
  double rows_per_second = 0;
  double hottest_region = 0;  // by the writes that the cluster counted, as a multiple of an even share
  uint64_t counted_writes = 0;
  double get_ms = 0;  // on average; a get of every place where the row may be
  // Average times of a scan: its ranges one after the other, and all at once, as the distributed scanner reads its
  // buckets.
  double scan_in_turn_ms = 0;
  double scan_at_once_ms = 0;
  double ranges_per_scan = 0;
  double rows_per_scan = 0;
};

// Writes all of `records`. Calls `on_progress` with the number of rows sent.
absl::StatusOr<LiveFigures> MeasureDesign(client::Connection* connection, const std::string& name,
                                          const lab::KeyDesign& design, const lab::LookupTables& tables,
                                          const lab::RecordSet& records, const lab::SplitKeys& splits,
                                          const LiveLoad& load, const std::function<void(uint64_t)>& on_progress);

// Returns the median of each figure. REQUIRES: `rounds` is not empty.
LiveFigures MedianOf(const std::vector<LiveFigures>& rounds);

Json LiveJson(const LiveFigures& figures, bool with_scans);
// Returns a table with a column for each design.
std::string LiveText(const std::vector<LiveFigures>& designs, bool with_scans);

}  // namespace vaquita

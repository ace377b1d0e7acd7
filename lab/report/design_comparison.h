// lab/report/design_comparison.h: compares several row key designs under the same load, side by side.
//
// Threads: one at a time; the simulations inside use all cores.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/json.h"
#include "lab/design/key_design.h"
#include "lab/records/record_set.h"
#include "lab/report/heat_map.h"
#include "lab/report/simulation_report.h"
#include "lab/simulator/read_simulation.h"
#include "lab/splits/split_keys.h"

namespace vaquita::lab {

// The load: all records of the set are written, some are read one by one, and, if asked for, some scans run.
struct ComparedLoad {
  uint64_t gets = 20'000;
  ReadPattern pattern = ReadPattern::kUniform;
  std::optional<ReadLoad::FieldScan> scan;
  uint64_t scans = 1'000;
  std::string scan_name;     // "scan of 1h of ts"
  uint64_t run_records = 0;  // all those of which the set is a sample; 0: it has all
};

// The figures of one design.
struct DesignFigures {
  std::string name;  // "A", "now"
  std::string design;
  SplitKeys splits;
  Spread writes;
  HeatMap picture;  // its writes
  double mean_key_bytes = 0;
  size_t longest_key = 0;
  uint64_t skipped = 0;
  uint64_t repeated_keys = 0;
  uint64_t unchecked_keys = 0;  // the others of a sample's run, or of a long one: some may be repeated, too
  double requests_per_get = 0;
  double hottest_get_region = 0;
  std::vector<PartPlan> scan_plan;  // empty: no scan
  double ranges_per_scan = 0;
  double requests_per_scan = 0;
  double rows_read_per_scan = 0;
  double rows_wanted_per_scan = 0;
};

absl::StatusOr<DesignFigures> SimulateDesign(const std::string& name, const KeyDesign& design,
                                             const LookupTables& tables, const RecordSet& records,
                                             const SplitKeys& splits, const ComparedLoad& load);

// Returns a table with a column for each design and a line for each figure.
std::string ComparisonText(const std::vector<DesignFigures>& designs, const ComparedLoad& load);
// Returns a page (page.h) with the pictures of the designs side by side, and that table, in which the best are marked.
// `intro` and `end` are HTML that stands before and behind them.
std::string ComparisonHtml(const std::string& title, const std::string& intro,
                           const std::vector<DesignFigures>& designs, const ComparedLoad& load, const std::string& end);
// Returns an array with an object for each design.
Json ComparisonJson(const std::vector<DesignFigures>& designs, const ComparedLoad& load);

}  // namespace vaquita::lab

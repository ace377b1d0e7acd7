// tools/bench/comparison.h: runs of several clusters, or of several files, beside each other.
//
// Threads: plain data.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/bench/confidence.h"
#include "tools/bench/latency_histogram.h"
#include "tools/bench/run_record.h"

namespace vaquita::bench {

// The runs of one cluster, in the order of their rounds.
struct RunGroup {
  std::string name;
  std::vector<RunRecord> runs;

  LatencyHistogram Latency() const;  // all runs together
};

// Returns the runs by file and label, in the order in which they come. Groups are named by their labels; those that are
// in several files, by file and label. Returns InvalidArgument if a file cannot be read, or is given twice.
absl::StatusOr<std::vector<RunGroup>> ReadGroups(const std::vector<std::string>& paths);

// One line of the table: a figure of each group, as the mean of its runs.
struct FigureRow {
  std::string name;
  bool more_is_better = false;
  std::vector<std::string> means;  // by group; "-" if there is none
  std::vector<std::string> spans;  // the least and the most of the runs; "" of one run
  // By group, against the first; nullopt for the first, and if it cannot be said.
  std::vector<std::optional<Difference>> differences;
};
std::vector<FigureRow> CompareFigures(const std::vector<RunGroup>& groups);

// Returns what was not the same in the groups, as lines: "fieldcount: a 10, b 1". Empty: all was.
std::vector<std::string> DifferentSettings(const std::vector<RunGroup>& groups);

// Returns a difference as text: "+12.3% (+8.1% to +16.0%)".
std::string DifferenceText(const Difference& difference);

// Returns the table as text for a terminal.
std::string ComparisonText(const std::vector<RunGroup>& groups);

}  // namespace vaquita::bench

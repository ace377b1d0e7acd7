// lab/report/advice.h: finds problems of a row key, with figures, and proposes other designs.
//
// The problems: keys that rise (or fall) as they arrive, so that one region gets all writes; few prefixes, behind each
// of which keys rise; a skew that splits do not divide; one row that is written or read again and again; long keys.
// Threads: any.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "lab/design/key_design.h"
#include "lab/design/key_statistics.h"
#include "lab/records/record_set.h"
#include "lab/report/simulation_report.h"
#include "lab/simulator/request_counts.h"

namespace vaquita::lab {

struct Finding {
  enum class Kind { kRising, kFalling, kFewBeginnings, kSkew, kHotRow, kLongKeys, kLongCommonBeginning };
  Kind kind;
  std::string text;  // a sentence or two, with the numbers
};

struct Proposal {
  std::string design;  // over the same fields
  std::string reason;  // its effect, and its price
};

// An existing key: its design, its records, and the result of simulating its writes over `regions` regions.
struct ExaminedKey {
  const KeyDesign& design;
  const LookupTables& tables;
  const RecordSet& records;
  const KeyStatistics& statistics;
  Spread writes;
  int regions = 10;
  bool in_order_of_arrival = true;  // if not, rising keys cannot be found
};

std::vector<Finding> FindProblems(const ExaminedKey& key);

inline constexpr size_t kMostProposals = 3;

// Returns at most kMostProposals for the findings, the best first. Each makes a key for every record for which `key`
// makes one. Returns none without findings.
std::vector<Proposal> ProposeDesigns(const ExaminedKey& key, const std::vector<Finding>& findings);

}  // namespace vaquita::lab

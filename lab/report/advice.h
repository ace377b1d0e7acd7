// lab/report/advice.h: what is wrong with a row key, with its numbers, and what could be tried instead.
//
// What is looked for: keys that rise (or fall) as they arrive, so that one region gets all writes; few beginnings, each
// of which rises; a skew that no split divides; one row that is written or read again and again; long keys. Threads:
// any.
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
  std::string reason;  // what it does, and at what price
};

// A key as it is: its design, the records it is made of, and what the simulation of its writes gave over `regions`
// regions.
struct ExaminedKey {
  const KeyDesign& design;
  const LookupTables& tables;
  const RecordSet& records;
  const KeyStatistics& statistics;
  Spread writes;
  int regions = 10;
  bool in_order_of_arrival = true;  // else whether keys rise cannot be told
};

std::vector<Finding> FindProblems(const ExaminedKey& key);

inline constexpr size_t kMostProposals = 3;

// For what was found, at most kMostProposals, the most fitting first; each one has a key for every record that `key`
// has one for. None if nothing was found.
std::vector<Proposal> ProposeDesigns(const ExaminedKey& key, const std::vector<Finding>& findings);

}  // namespace vaquita::lab

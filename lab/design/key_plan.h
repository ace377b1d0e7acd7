// lab/design/key_plan.h: which ranges of rows answer a question under a row key design: what a client of that table
// would ask for.
//
// A question knows some fields' values (user = 'ann') and, if it is a scan, a range of one more (ts in [a, b]). The
// plan goes through the design's parts from the left, as far as they can be said:
//   a part of known fields alone is computed;
//   a part with few values that the question does not tell (a salt, a bucket of an unknown field) takes them all, so
//     there are as many ranges as values: the price of salting;
//   a part that rises or falls with the range's field bounds the range, and ends it;
//   any other part ends it too, and everything that begins with what was said so far is read: of a hashed key, all.
// What a part depends on is read from its expression; whether it rises and how many values it has are found by trying
// it on a sample of records. Threads: immutable; any at once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "lab/design/key_design.h"
#include "lab/records/record_set.h"
#include "model/cell.h"

namespace vaquita::lab {

struct Question {
  std::vector<int> known_fields;
  std::optional<int> range_field;
};

// The range's ends, both inclusive, as values of its field.
struct FieldRange {
  FieldValue first;
  FieldValue last;
};

enum class PartUse {
  kComputed,    // from known fields
  kEveryValue,  // each of its values is asked for
  kRange,       // bounds the range
  kOpen,        // ends it without a bound
};

struct PartPlan {
  std::string source;  // as the design has it
  PartUse use = PartUse::kOpen;
  size_t values = 1;  // of kEveryValue
};

class KeyPlan {
 public:
  static constexpr size_t kMostValues = 256;     // of a part that is asked for value by value
  static constexpr size_t kMostRanges = 65'536;  // of a question

  // `records` is what parts are tried on, at most 4,096 of them. Errors: the design's own.
  static absl::StatusOr<KeyPlan> Make(const KeyDesign& design, const LookupTables& tables, const RecordSet& records,
                                      const Question& question);

  // Up to the part that ends the ranges; parts behind it play no role.
  const std::vector<PartPlan>& parts() const { return plan_; }
  // How many ranges each question asks for, at most.
  size_t ranges() const;
  // Whether a question cannot be narrowed at all: its one range is the table.
  bool IsFullScan() const { return !plan_.empty() && plan_.front().use == PartUse::kOpen; }

  // Appends the ranges that answer the question with the known fields of `record`, number `index` of its run, and, for
  // a scan, `range`.
  absl::Status AppendRanges(Record record, uint64_t index, const FieldRange* range,
                            std::vector<RowRange>* ranges) const;

 private:
  struct Part;

  Question question_;
  std::vector<std::shared_ptr<const Part>> parts_;
  std::vector<PartPlan> plan_;
};

}  // namespace vaquita::lab

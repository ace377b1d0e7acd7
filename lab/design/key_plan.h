// lab/design/key_plan.h: plans the ranges of rows that answer a question under a row key design, as a client of that
// table would.
//
// A question knows some fields' values (user = 'ann') and, if it is a scan, a range of one more (ts in [a, b]). The
// plan goes through the design's parts from the left:
//   a part of known fields alone is computed;
//   a part with few values that does not depend on known fields (a salt, a bucket of an unknown field) takes each
//     value in turn, so there are as many ranges as values: the price of salting;
//   a part that rises or falls with the range's field bounds the range, and ends it;
//   any other part ends it too, and all rows with the prefix so far are read: of a hashed key, the whole table.
//
// The fields that a part depends on are read from its expression. Its number of values, and whether it rises, are found
// by trying it on a sample of records. Threads: immutable; any.
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
  std::string source;  // text in the design
  PartUse use = PartUse::kOpen;
  size_t values = 1;  // for kEveryValue
};

class KeyPlan {
 public:
  static constexpr size_t kMostValues = 256;     // for one part with kEveryValue
  static constexpr size_t kMostRanges = 65'536;  // for one question

  // Parts are tried on at most 4,096 of `records`. Errors: the design's own.
  static absl::StatusOr<KeyPlan> Make(const KeyDesign& design, const LookupTables& tables, const RecordSet& records,
                                      const Question& question);

  // Returns the parts up to the one that ends the ranges; parts behind it have no effect.
  const std::vector<PartPlan>& parts() const { return plan_; }
  // Returns the largest number of ranges of a question.
  size_t ranges() const;

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

#include "lab/design/key_plan.h"

#include <algorithm>
#include <set>

#include "base/status.h"
#include "lab/records/expression.h"
#include "lab/records/random_number.h"
#include "model/row_after_prefix.h"

namespace vaquita::lab {
namespace {

constexpr uint64_t kKeysTried = 4096;

// The names in an expression, and the functions it calls.
void CollectNames(const Expression& expression, std::set<std::string>* names, std::set<std::string>* calls) {
  if (expression.kind == Expression::Kind::kName) names->insert(expression.text);
  if (expression.kind == Expression::Kind::kCall) calls->insert(expression.text);
  for (const Expression& argument : expression.arguments) CollectNames(argument, names, calls);
}

bool IsNumbered(const std::set<std::string>& calls) {  // uses the record's number, which a question does not know
  return calls.contains("salt") || calls.contains("round_robin") || calls.contains("record_number");
}

bool Precedes(const FieldValue& a, const FieldValue& b, FieldKind kind) {
  return kind == FieldKind::kText ? a.text < b.text : a.number < b.number;
}

// Up to kKeysTried records, evenly over the run, called one after the other.
template <typename Visit>
absl::Status ForTrials(const RecordSet& records, Visit visit) {
  RecordBuffer buffer;
  const uint64_t trials = std::min(records.size(), kKeysTried);
  for (uint64_t i = 0; i < trials; ++i) {
    const uint64_t index = RandomRecordOfPart(i, trials, records.size());
    VAQUITA_RETURN_IF_ERROR(visit(records.Get(index, &buffer), records.RunIndex(index)));
  }
  return absl::OkStatus();
}

// Returns the part's values in key order, or none if there are too many to ask for each. Records that do not fit the
// design are left out.
std::vector<std::string> ValuesOf(const KeyDesign& part, const RecordSet& records) {
  std::set<std::string> values;
  std::string bytes;
  (void)ForTrials(records, [&](Record record, uint64_t index) {
    bytes.clear();
    if (part.AppendPart(record, index, &bytes).ok()) values.insert(bytes);
    return values.size() > KeyPlan::kMostValues ? absl::CancelledError() : absl::OkStatus();
  });
  if (values.size() > KeyPlan::kMostValues) return {};
  return {values.begin(), values.end()};
}

// Tells whether the part's bytes never fall, or never rise, as the field's value rises.
struct Course {
  bool rises = true;
  bool falls = true;
};

Course CourseOf(const KeyDesign& part, const RecordSet& records, int field) {
  struct Point {
    FieldValue value;
    std::string text;  // value.text points into it
    std::string bytes;
  };
  std::vector<Point> points;
  (void)ForTrials(records, [&](Record record, uint64_t index) {
    Point point{record[field], std::string(record[field].text), {}};
    if (part.AppendPart(record, index, &point.bytes).ok()) points.push_back(std::move(point));
    return absl::OkStatus();
  });
  for (Point& point : points) point.value.text = point.text;
  const FieldKind kind = records.schema().fields()[field].kind;
  std::vector<const Point*> order;
  for (const Point& point : points) order.push_back(&point);
  std::sort(order.begin(), order.end(),
            [&](const Point* a, const Point* b) { return Precedes(a->value, b->value, kind); });
  Course course;
  for (size_t i = 1; i < order.size(); ++i) {
    if (order[i - 1]->bytes > order[i]->bytes) course.rises = false;
    if (order[i - 1]->bytes < order[i]->bytes) course.falls = false;
  }
  return course;
}

}  // namespace

struct KeyPlan::Part {
  KeyDesign design;
  std::set<int> fields;
  bool numbered = false;
  PartUse use = PartUse::kOpen;
  std::vector<std::string> values;  // for kEveryValue
  bool falling = false;             // for kRange

  static absl::StatusOr<Part> Parse(const Expression& operand, const std::string& source, const Schema& schema,
                                    const LookupTables& tables) {
    VAQUITA_ASSIGN_OR_RETURN(KeyDesign design, KeyDesign::Parse(source, schema, tables));
    Part part{.design = std::move(design)};
    std::set<std::string> names, calls;
    CollectNames(operand, &names, &calls);
    for (const std::string& name : names) {
      if (const auto field = schema.Find(name)) part.fields.insert(*field);
    }
    part.numbered = IsNumbered(calls);
    return part;
  }

  bool IsKnown(const Question& question) const {
    return !numbered && std::all_of(fields.begin(), fields.end(), [&](int field) {
      return std::find(question.known_fields.begin(), question.known_fields.end(), field) !=
             question.known_fields.end();
    });
  }

  // Finds the part's use for a question, which may ask for `most_values` of its values.
  void FindUse(const Question& question, const RecordSet& records, size_t most_values) {
    if (IsKnown(question)) {
      use = PartUse::kComputed;
      return;
    }
    if (!numbered && question.range_field && fields == std::set<int>{*question.range_field}) {
      const Course course = CourseOf(design, records, *question.range_field);
      if (course.rises || course.falls) {
        use = PartUse::kRange;
        falling = !course.rises;
        return;
      }
    }
    values = ValuesOf(design, records);
    const bool few = !values.empty() && values.size() <= most_values;
    use = few ? PartUse::kEveryValue : PartUse::kOpen;
  }

  // The part's bytes for `record`, with the range's field set to `value`.
  absl::Status AppendWith(Record record, uint64_t index, int field, const FieldValue& value, std::string* key) const {
    std::vector<FieldValue> changed(record.begin(), record.end());
    changed[field] = value;
    return design.AppendPart(changed, index, key);
  }
};

absl::StatusOr<KeyPlan> KeyPlan::Make(const KeyDesign& design, const LookupTables& tables, const RecordSet& records,
                                      const Question& question) {
  VAQUITA_ASSIGN_OR_RETURN(const Expression whole, ParseExpression(design.expression()));
  KeyPlan plan;
  plan.question_ = question;
  size_t ranges = 1;
  for (const Expression& operand : whole.Joined()) {
    const std::string source(operand.Source(design.expression()));
    VAQUITA_ASSIGN_OR_RETURN(Part part, Part::Parse(operand, source, records.schema(), tables));
    part.FindUse(question, records, kMostRanges / ranges);
    const size_t values = part.use == PartUse::kEveryValue ? part.values.size() : 1;
    ranges *= values;
    plan.plan_.push_back({source, part.use, values});
    plan.parts_.push_back(std::make_shared<const Part>(std::move(part)));
    if (plan.plan_.back().use == PartUse::kOpen) break;
  }
  return plan;
}

size_t KeyPlan::ranges() const {
  size_t ranges = 1;
  for (const PartPlan& part : plan_) ranges *= part.values;
  return ranges;
}

absl::Status KeyPlan::AppendRanges(Record record, uint64_t index, const FieldRange* range,
                                   std::vector<RowRange>* ranges) const {
  std::vector<std::string> prefixes = {""};
  std::string bytes, last;
  for (const auto& part : parts_) {
    bytes.clear();
    switch (part->use) {
      case PartUse::kComputed:
        VAQUITA_RETURN_IF_ERROR(part->design.AppendPart(record, index, &bytes));
        for (std::string& prefix : prefixes) prefix += bytes;
        continue;
      case PartUse::kEveryValue: {
        std::vector<std::string> longer;
        for (const std::string& prefix : prefixes) {
          for (const std::string& value : part->values) longer.push_back(prefix + value);
        }
        prefixes = std::move(longer);
        continue;
      }
      case PartUse::kRange: {
        last.clear();
        const int field = *question_.range_field;
        VAQUITA_RETURN_IF_ERROR(part->AppendWith(record, index, field, range->first, &bytes));
        VAQUITA_RETURN_IF_ERROR(part->AppendWith(record, index, field, range->last, &last));
        if (bytes == last) {  // the range lies within one of the part's values, as an hour within a day
          for (std::string& prefix : prefixes) prefix += bytes;
          continue;
        }
        if (part->falling) std::swap(bytes, last);
        for (const std::string& prefix : prefixes) {
          if (bytes < last) {
            ranges->push_back({prefix + bytes, RowAfterPrefix(prefix + last)});
          } else {  // around the end: negative numbers stand behind the others, and 1000 before 999
            ranges->push_back({prefix, RowAfterPrefix(prefix + last)});
            ranges->push_back({prefix + bytes, RowAfterPrefix(prefix)});
          }
        }
        return absl::OkStatus();
      }
      case PartUse::kOpen:
        for (const std::string& prefix : prefixes) ranges->push_back({prefix, RowAfterPrefix(prefix)});
        return absl::OkStatus();
    }
  }
  // Every part is known: for a get these are the keys themselves, for a scan the prefixes of all rows.
  for (const std::string& prefix : prefixes) {
    if (question_.range_field) {
      ranges->push_back({prefix, RowAfterPrefix(prefix)});
    } else {
      ranges->push_back({prefix, prefix, true, true});
    }
  }
  return absl::OkStatus();
}

}  // namespace vaquita::lab

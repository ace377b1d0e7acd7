#include "lab/record_generator.h"

#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/absl_text.h"

namespace vaquita::lab {

struct RecordGenerator::Fields {
  Schema schema;
};

// The first step: every field is its record's number.
absl::StatusOr<RecordGenerator> RecordGenerator::Parse(std::string_view text, uint64_t seed) {
  std::vector<Field> fields;
  for (absl::string_view part : absl::StrSplit(AbslText(text), ", ")) {
    const std::pair<absl::string_view, absl::string_view> sides = absl::StrSplit(part, absl::MaxSplits('=', 1));
    fields.push_back({std::string(absl::StripAsciiWhitespace(sides.first)), FieldKind::kInteger});
  }
  return RecordGenerator(std::make_shared<const Fields>(Fields{Schema(std::move(fields))}));
}

const Schema& RecordGenerator::schema() const { return fields_->schema; }

Record RecordGenerator::Generate(uint64_t index, RecordBuffer* buffer) const {
  buffer->values_.resize(fields_->schema.fields().size());
  for (FieldValue& value : buffer->values_) value.number = static_cast<int64_t>(index);
  return buffer->record();
}

}  // namespace vaquita::lab

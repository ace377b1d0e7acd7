#include "lab/key_design.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "engine/absl_text.h"

namespace vaquita::lab {

struct KeyDesign::Compiled {
  std::string expression;
  Schema schema;
  std::vector<int> fields;
};

// The first step: fields joined by +.
absl::StatusOr<KeyDesign> KeyDesign::Parse(std::string_view expression, const Schema& schema,
                                           const LookupTables& tables, uint64_t seed) {
  Compiled compiled{std::string(expression), schema, {}};
  for (absl::string_view part : absl::StrSplit(AbslText(expression), '+')) {
    const absl::string_view name = absl::StripAsciiWhitespace(part);
    const std::optional<int> field = schema.Find(StdText(name));
    if (!field) return absl::InvalidArgumentError(absl::StrCat("no field ", name));
    compiled.fields.push_back(*field);
  }
  return KeyDesign(std::make_shared<const Compiled>(std::move(compiled)));
}

const std::string& KeyDesign::expression() const { return compiled_->expression; }

absl::Status KeyDesign::AppendKey(Record record, uint64_t index, std::string* key) const {
  for (const int field : compiled_->fields) {
    if (compiled_->schema.fields()[field].kind == FieldKind::kText) {
      key->append(record[field].text);
    } else {
      absl::StrAppend(key, record[field].number);
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<KeyPart>> KeyDesign::Explain(Record record, uint64_t index) const {
  std::string key;
  if (absl::Status status = AppendKey(record, index, &key); !status.ok()) return status;
  return std::vector<KeyPart>{{compiled_->expression, 0, key, "the key"}};
}

}  // namespace vaquita::lab

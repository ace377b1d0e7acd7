#include "lab/design/key_design.h"

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "lab/design/key_compiler.h"
#include "lab/design/readable_keys.h"
#include "model/cell.h"

namespace vaquita::lab {

struct KeyDesign::Compiled {
  std::string expression;
  CompiledKey key;
  Schema schema;
};

absl::StatusOr<KeyDesign> KeyDesign::Parse(std::string_view expression, const Schema& schema,
                                           const LookupTables& tables, uint64_t seed) {
  VAQUITA_ASSIGN_OR_RETURN(CompiledKey key, CompileKey(expression, schema, tables, seed));
  return KeyDesign(std::make_shared<const Compiled>(Compiled{std::string(expression), std::move(key), schema}));
}

const std::string& KeyDesign::expression() const { return compiled_->expression; }

absl::Status KeyDesign::AppendKey(Record record, uint64_t index, std::string* key) const {
  const KeyProgram& program = compiled_->key.program;
  KeyBytes bytes;
  VAQUITA_RETURN_IF_ERROR(RunKeyProgram(program, 0, program.ops.size(), record, index, compiled_->expression, &bytes));
  if (bytes.size() - 1 >= kMaxRowLength) [[unlikely]] {  // 0 wraps around
    if (bytes.size() == 0) return absl::InvalidArgumentError("the key is empty, but HBase has no empty row key");
    return absl::InvalidArgumentError(
        absl::StrCat("the key has ", bytes.size(), " bytes; a row key has at most ", kMaxRowLength));
  }
  key->append(bytes.begin(), bytes.size());
  return absl::OkStatus();
}

absl::StatusOr<std::vector<KeyPart>> KeyDesign::Explain(Record record, uint64_t index) const {
  KeyBytes bytes;
  std::vector<KeyPart> parts;
  for (const CompiledPart& part : compiled_->key.parts) {
    const size_t offset = bytes.size();
    VAQUITA_RETURN_IF_ERROR(RunKeyProgram(compiled_->key.program, part.first_op, part.last_op, record, index,
                                          compiled_->expression, &bytes));
    parts.push_back({.source = part.source,
                     .offset = offset,
                     .bytes = std::string(bytes.from(offset)),
                     .meaning = part.meaning,
                     .note = part.note});
  }
  return parts;
}

std::vector<std::string> KeyDesign::ReadableKeys(const std::vector<std::string>& keys) const {
  return lab::ReadableKeys(compiled_->key, compiled_->schema, keys);
}

}  // namespace vaquita::lab

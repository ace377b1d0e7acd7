#include "lab/design/key_design.h"

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "lab/design/key_compiler.h"
#include "lab/design/readable_keys.h"
#include "model/cell.h"

namespace vaquita::lab {

namespace {

absl::Status CheckKeyLength(size_t bytes) {
  if (bytes - 1 < kMaxRowLength) [[likely]]  // 0 wraps around
    return absl::OkStatus();
  if (bytes == 0) return absl::InvalidArgumentError("the key is empty, but HBase has no empty row key");
  return absl::InvalidArgumentError(
      absl::StrCat("the key has ", bytes, " bytes; a row key has at most ", kMaxRowLength));
}

}  // namespace

struct KeyDesign::Compiled {
  absl::Status Run(size_t first_op, size_t last_op, Record record, uint64_t index, KeyBytes* bytes) const {
    return RunKeyProgram(key.program, first_op, last_op, record, index, expression, bytes);
  }

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
  KeyBytes bytes;
  VAQUITA_RETURN_IF_ERROR(compiled_->Run(0, compiled_->key.program.ops.size(), record, index, &bytes));
  VAQUITA_RETURN_IF_ERROR(CheckKeyLength(bytes.size()));
  key->append(bytes.begin(), bytes.size());
  return absl::OkStatus();
}

absl::Status KeyDesign::AppendPart(Record record, uint64_t index, std::string* part) const {
  KeyBytes bytes;
  VAQUITA_RETURN_IF_ERROR(compiled_->Run(0, compiled_->key.program.ops.size(), record, index, &bytes));
  part->append(bytes.begin(), bytes.size());
  return absl::OkStatus();
}

absl::Status KeyDesign::AppendFirstPart(Record record, uint64_t index, std::string* part) const {
  const size_t last_op = compiled_->key.parts.front().last_op;
  KeyBytes bytes;
  VAQUITA_RETURN_IF_ERROR(compiled_->Run(0, last_op, record, index, &bytes));
  const size_t size = bytes.size();
  VAQUITA_RETURN_IF_ERROR(compiled_->Run(last_op, compiled_->key.program.ops.size(), record, index, &bytes));
  VAQUITA_RETURN_IF_ERROR(CheckKeyLength(bytes.size()));
  part->append(bytes.begin(), size);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<KeyPart>> KeyDesign::Explain(Record record, uint64_t index) const {
  KeyBytes bytes;
  std::vector<KeyPart> parts;
  for (const CompiledPart& part : compiled_->key.parts) {
    const size_t offset = bytes.size();
    VAQUITA_RETURN_IF_ERROR(compiled_->Run(part.first_op, part.last_op, record, index, &bytes));
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

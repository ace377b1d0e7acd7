// tests/fuzz/key_design_fuzz.cc: a row key design as people type it, parsed and run on a record whose texts are the
// input's, too; and the same text as a list of generated fields.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lab/design/key_design.h"
#include "lab/records/record_generator.h"

namespace {

using vaquita::lab::FieldKind;
using vaquita::lab::FieldValue;
using vaquita::lab::KeyDesign;
using vaquita::lab::Record;
using vaquita::lab::RecordBuffer;
using vaquita::lab::RecordGenerator;

void RunDesign(std::string_view expression, std::string_view text) {
  static const vaquita::lab::Schema schema(
      {{"id", FieldKind::kInteger}, {"ts", FieldKind::kTime}, {"user"}, {"phone"}});
  vaquita::lab::LookupTables tables;
  tables["T"] = {.values = {{"a", "1"}}, .numbers = {{"a", 1}}};
  const auto design = KeyDesign::Parse(expression, schema, tables);
  if (!design.ok()) return;
  const FieldValue record[] = {{.number = -42}, {.number = INT64_MIN}, {.text = text}, {.text = "49170123456"}};
  std::string key;
  if (!design->AppendKey(record, 7, &key).ok()) return;
  const auto parts = design->Explain(record, 7);
  std::string joined;
  for (const auto& part : *parts) joined += part.bytes;
  if (joined != key) __builtin_trap();  // the parts are the key
}

void RunGenerator(std::string_view text) {
  const auto generator = RecordGenerator::Parse(text);
  if (!generator.ok()) return;
  RecordBuffer buffer;
  for (const uint64_t index : {uint64_t{0}, uint64_t{1}, uint64_t{INT64_MAX}}) {
    for (const FieldValue& value : generator->Generate(index, &buffer)) {
      if (value.text.size() > 10'000'000) __builtin_trap();
    }
  }
}

}  // namespace

// The first line is the expression, the second one a field's text.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t line = input.find('\n');
  RunDesign(input.substr(0, line), line == std::string_view::npos ? "ann" : input.substr(line + 1));
  RunGenerator(input);
  return 0;
}

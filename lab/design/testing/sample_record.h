// lab/design/testing/sample_record.h: the record of docs/lab.md's examples and the designs' tests.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "lab/design/key_design.h"
#include "model/region_info.h"

namespace vaquita::lab {

inline Schema SampleSchema() {
  return Schema({{"id", FieldKind::kInteger},
                 {"ts", FieldKind::kTime},
                 {"phone"},
                 {"user"},
                 {"host"},
                 {"type"},
                 {"city"},
                 {"day"},
                 {"start time"}});
}

inline LookupTables SampleTables() {
  LookupTables tables;
  tables["LOG_TYPES"] = {.values = {{"info", "1"}, {"warn", "2"}, {"error", "3"}},
                         .numbers = {{"info", 1}, {"warn", 2}, {"error", 3}}};
  tables["LETTERS"] = {.values = {{"0", "a"}, {"1", "b"}, {"2", "c"}, {"3", "d"}}};
  return tables;
}

inline constexpr std::array<FieldValue, 9> kSampleRecord = {{{.number = 42},
                                                             {.number = 1769855415250},
                                                             {.text = "49170123456"},
                                                             {.text = "ann"},
                                                             {.text = "www.example.com"},
                                                             {.text = "error"},
                                                             {.text = "Zürich"},
                                                             {.text = "2026-01-31 10:30:15.25"},
                                                             {.text = "1030"}}};
inline constexpr uint64_t kSampleIndex = 7;

// Returns the key of the sample record, or the error's first line, as Bytes.toStringBinary shows them.
inline std::string SampleKey(std::string_view expression) {
  const absl::StatusOr<KeyDesign> design = KeyDesign::Parse(expression, SampleSchema(), SampleTables());
  if (!design.ok()) return std::string(design.status().message());
  std::string key;
  const absl::Status status = design->AppendKey(kSampleRecord, kSampleIndex, &key);
  return status.ok() ? ToStringBinary(key) : std::string(status.message());
}

}  // namespace vaquita::lab

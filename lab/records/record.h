// lab/records/record.h: what a row key is made of: a record, that is one row of a CSV file or one that was generated.
//
// A record has as many values as its schema has fields, in the schema's order. The schema says for the whole run
// whether a field is text or a number, so that nothing is looked at twice on the way to 100 million keys. Ownership: a
// record's text points into its maker's memory (RecordSource, RecordBuffer) and lives until that makes the next record.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace vaquita::lab {

enum class FieldKind : uint8_t {
  kText,     // UTF-8; all fields of a CSV file are text
  kInteger,  // 64 bits with sign
  kTime,     // milliseconds since 1970-01-01 UTC
};

struct Field {
  std::string name;
  FieldKind kind = FieldKind::kText;
};

class Schema {
 public:
  Schema() = default;
  explicit Schema(std::vector<Field> fields) : fields_(std::move(fields)) {}

  const std::vector<Field>& fields() const { return fields_; }
  std::optional<int> Find(std::string_view name) const;
  std::string Names() const;  // "id, ts, user", for messages

 private:
  std::vector<Field> fields_;
};

struct FieldValue {
  std::string_view text;  // of a kText field
  int64_t number = 0;     // of the others
};

using Record = std::span<const FieldValue>;

// Records one after the other: a CSV file, standard input. Threads: one at a time.
class RecordSource {
 public:
  virtual ~RecordSource() = default;

  virtual const Schema& schema() const = 0;

  // The next record, or nothing at the end. A row that does not fit is an error that names file, line and value; the
  // next call goes on with the row after it. An error that nothing can follow (the file cannot be read) is followed by
  // the end.
  virtual absl::StatusOr<std::optional<Record>> Next() = 0;

  // Where the record that Next() gave last begins: "flights.csv:17".
  virtual std::string Place() const = 0;
};

}  // namespace vaquita::lab

// lab/records/record.h: a record, from which a row key is made: a row of a CSV file, or a generated one.
//
// A record has as many values as its schema has fields, in the schema's order. The schema says for the whole run
// whether a field is text or a number, so that 100 million keys need no check each. Ownership: a record's text points
// into its maker's memory (RecordSource, RecordBuffer) and lives until that makes the next record.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
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
  std::string_view text;  // for kText
  int64_t number = 0;     // for other kinds
};

using Record = std::span<const FieldValue>;

// Reads records one after the other, from a CSV file or standard input. Threads: one at a time.
class RecordSource {
 public:
  virtual ~RecordSource() = default;

  virtual const Schema& schema() const = 0;

  // Returns the next record, or nullopt at the end. For a row that does not fit it returns an error that names file,
  // line and value, and the next call goes on with the row after it. After an error of reading the file, the next call
  // returns the end, so that who skips rows must not skip that error (IsErrorOfOneRow).
  virtual absl::StatusOr<std::optional<Record>> Next() = 0;

  // Returns the place of the last record: "flights.csv:17".
  virtual std::string Place() const = 0;
};

// Returns whether the error of a source is that of a row, and not of reading, which leaves out all rows behind it.
inline bool IsErrorOfOneRow(const absl::Status& error) { return absl::IsInvalidArgument(error); }

}  // namespace vaquita::lab

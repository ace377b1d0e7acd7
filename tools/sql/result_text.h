// tools/sql/result_text.h: writes a result's rows as text: a table for people, CSV or JSON for programs.
//
// Threads: one.
#pragma once

#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "sql/encoding/sql_type.h"
#include "sql/encoding/value.h"

namespace vaquita::sqlshell {

enum class Format { kTable, kCsv, kJson };
// Returns nullopt if no format has the name: "table", "csv", "json".
std::optional<Format> FormatOf(std::string_view name);

// Returns a value as people read it; "" for null. Points in time are in UTC.
std::string TextOf(const sql::SqlType& type, const sql::Value& value);

struct Column {
  std::string label;
  sql::SqlType type;
};

class ResultWriter {
 public:
  // `out` outlives the writer. CSV is RFC 4180's; JSON has an object on each line.
  static std::unique_ptr<ResultWriter> Create(Format format, std::vector<Column> columns, std::ostream* out);
  virtual ~ResultWriter() = default;
  virtual void Add(const std::vector<sql::Value>& row) = 0;
  virtual void End() = 0;
};

}  // namespace vaquita::sqlshell

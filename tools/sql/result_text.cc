#include "tools/sql/result_text.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/json_value.h"
#include "base/unicode.h"
#include "sql/encoding/date_text.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_text.h"

namespace vaquita::sqlshell {
namespace {

using sql::ValueKind;

constexpr size_t kTableRows = 1000;  // whose widths are looked at together

size_t WidthOf(std::string_view text) {
  return text.size() - static_cast<size_t>(std::ranges::count_if(text, ContinuesUtf8));
}

bool IsRight(const sql::SqlType& type) { return IsNumber(type); }

// Each column is as wide as its widest value.
class TableWriter : public ResultWriter {
 public:
  TableWriter(std::vector<Column> columns, std::ostream* out) : columns_(std::move(columns)), out_(*out) {}

  void Add(const std::vector<sql::Value>& row) override {
    std::vector<std::string>& texts = rows_.emplace_back();
    for (size_t i = 0; i < row.size(); ++i) texts.push_back(TextOf(columns_[i].type, row[i]));
    if (rows_.size() == kTableRows) Print();
  }
  void End() override {
    if (!rows_.empty() || !headed_) Print();
  }

 private:
  void Print() {
    std::vector<size_t> widths;
    for (size_t i = 0; i < columns_.size(); ++i) {
      size_t width = WidthOf(columns_[i].label);
      for (const auto& row : rows_) width = std::max(width, WidthOf(row[i]));
      widths.push_back(width);
    }
    if (!std::exchange(headed_, true)) {
      std::vector<std::string> labels;
      std::vector<std::string> lines;
      for (size_t i = 0; i < columns_.size(); ++i) {
        labels.push_back(columns_[i].label);
        lines.emplace_back(widths[i], '-');
      }
      PrintRow(labels, widths);
      PrintRow(lines, widths);
    }
    for (const auto& row : rows_) PrintRow(row, widths);
    rows_.clear();
  }
  void PrintRow(const std::vector<std::string>& row, const std::vector<size_t>& widths) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string blank(widths[i] - std::min(widths[i], WidthOf(row[i])), ' ');
      const bool right = IsRight(columns_[i].type);
      sql::AppendText(&line, i == 0 ? "" : "  ", right ? blank : "", row[i], right ? "" : blank);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out_ << line << '\n';
  }

  const std::vector<Column> columns_;
  std::ostream& out_;
  std::vector<std::vector<std::string>> rows_;
  bool headed_ = false;
};

class CsvWriter : public ResultWriter {
 public:
  CsvWriter(std::vector<Column> columns, std::ostream* out) : columns_(std::move(columns)), out_(*out) {
    for (size_t i = 0; i < columns_.size(); ++i) Print(i, columns_[i].label);
  }
  void Add(const std::vector<sql::Value>& row) override {
    for (size_t i = 0; i < row.size(); ++i) Print(i, TextOf(columns_[i].type, row[i]));
  }
  void End() override { out_.flush(); }

 private:
  void Print(size_t column, const std::string& text) {
    if (column > 0) out_ << ',';
    if (text.find_first_of("\",\r\n") == std::string::npos) {
      out_ << text;
    } else {
      out_ << '"';
      for (const char c : text) out_ << (c == '"' ? "\"\"" : std::string(1, c));
      out_ << '"';
    }
    if (column + 1 == columns_.size()) out_ << "\r\n";
  }

  const std::vector<Column> columns_;
  std::ostream& out_;
};

Json JsonOf(const sql::SqlType& type, const sql::Value& value) {
  if (value.is_null()) return nullptr;
  if (type.array) {
    Json list = Json::array();
    for (const sql::Value& element : value.list()) list.push_back(JsonOf(type.Element(), element));
    return list;
  }
  if (type.kind() == ValueKind::kInteger) return value.integer();
  if (type.kind() == ValueKind::kReal && std::isfinite(value.real())) return value.real();
  if (type.kind() == ValueKind::kBoolean) return value.integer() != 0;
  return TextOf(type, value);  // JSON has no number for an infinite one
}

class JsonWriter : public ResultWriter {
 public:
  JsonWriter(std::vector<Column> columns, std::ostream* out) : columns_(std::move(columns)), out_(*out) {
    std::set<std::string> labels;
    for (Column& column : columns_) {
      std::string label = column.label;
      for (int number = 2; !labels.insert(label).second; ++number) label = sql::Concat(column.label, "_", number);
      column.label = std::move(label);
    }
  }
  void Add(const std::vector<sql::Value>& row) override {
    Json object = Json::object();
    for (size_t i = 0; i < row.size(); ++i) object[columns_[i].label] = JsonOf(columns_[i].type, row[i]);
    // Bytes that are no UTF-8 become U+FFFD.
    out_ << JsonText(object) << '\n';
  }
  void End() override { out_.flush(); }

 private:
  std::vector<Column> columns_;  // with a label for each
  std::ostream& out_;
};

// Returns the fraction down to the nanosecond, if there is more than milliseconds: an import has the same value again.
std::string TimestampText(const sql::Timestamp& moment) {
  std::string text = sql::FormatByPattern(moment.ms, sql::kDatePattern).value_or("");
  if (moment.nanos == 0) return text;
  const std::string nanos = std::to_string(moment.nanos);
  text += std::string(6 - nanos.size(), '0') + nanos;
  return text.substr(0, text.find_last_not_of('0') + 1);
}

}  // namespace

std::optional<Format> FormatOf(std::string_view name) {
  if (name == "table") return Format::kTable;
  if (name == "csv") return Format::kCsv;
  if (name == "json") return Format::kJson;
  return std::nullopt;
}

std::string TextOf(const sql::SqlType& type, const sql::Value& value) {
  if (value.is_null()) return "";
  if (type.array) {
    std::string text = "[";
    for (const sql::Value& element : value.list())
      sql::AppendText(&text, text.size() == 1 ? "" : ", ", TextOf(type.Element(), element));
    return text + "]";
  }
  switch (type.kind()) {
    case ValueKind::kNull:
      return "";
    case ValueKind::kInteger:
      return std::to_string(value.integer());
    case ValueKind::kReal: {
      const auto exact = sql::Decimal::FromDouble(value.real());
      return exact.ok() ? exact->ToPlainString() : sql::JavaReal(value.real());
    }
    case ValueKind::kDecimal:
      return value.decimal().ToPlainString();
    case ValueKind::kBoolean:
      return value.integer() != 0 ? "true" : "false";
    case ValueKind::kMillis:
      return sql::FormatByPattern(value.integer(), sql::kDatePattern).value_or("");
    case ValueKind::kTimestamp:
      return TimestampText(value.timestamp());
    case ValueKind::kText:
      return value.text();
    case ValueKind::kBytes:
      return sql::Hex(value.text());
  }
  return "";
}

std::unique_ptr<ResultWriter> ResultWriter::Create(Format format, std::vector<Column> columns, std::ostream* out) {
  switch (format) {
    case Format::kTable:
      return std::make_unique<TableWriter>(std::move(columns), out);
    case Format::kCsv:
      return std::make_unique<CsvWriter>(std::move(columns), out);
    case Format::kJson:
      return std::make_unique<JsonWriter>(std::move(columns), out);
  }
  return nullptr;
}

}  // namespace vaquita::sqlshell
